import { h } from './dom.js'
import { outside, session } from './http.js'

/** The link to GraphiQL. A token goes along when somebody follows it, and stands nowhere on this page. */
export function consoleLink(path) {
  const element = h('a', { href: outside(path) }, 'GraphiQL')
  const sign = () => {
    if (session.token === null) return
    element.hash = `token=${encodeURIComponent(session.token)}`
    setTimeout(() => (element.hash = ''))
  }
  for (const event of ['click', 'auxclick']) element.addEventListener(event, sign)
  return element
}

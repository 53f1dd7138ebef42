import { h, replace } from './dom.js'
import { address, send } from './http.js'
import { failed } from './values.js'

/** Development: the rights of a record, each with what its policy says, leaf by leaf. */
export function whyOf(key, id, user) {
  const place = h('div')
  const load = async ({ target }) => {
    if (!target.open) return
    const path = `/docs/why/${key}/${encodeURIComponent(id)}`
    const answer = await send('GET', address(path, { user }))
    if (!answer.ok) return replace(place, failed(answer))
    const right = ({ operation, answer: says, text }) =>
      h('details', h('summary', `${operation}: ${says}`), h('pre', text))
    replace(place, answer.json.rights.map(right))
  }
  return h('details', { ontoggle: load }, h('summary', 'Why?'), place)
}

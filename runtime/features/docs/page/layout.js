import { choice, h } from './dom.js'

/** All repositories beside one of them; on small screens, above it. */
export function layout(place, model, view, current) {
  const links = model.resources.map(({ key }) => {
    const isCurrent = key === current?.key
    return h(
      'li',
      h('a', { href: `#/${view}/${key}`, 'aria-current': isCurrent ? 'true' : null }, key),
    )
  })
  const side = h('nav.side', { 'aria-label': 'Resources' }, h('ul', links))
  const options = [
    ['', view === 'resources' ? 'All resources' : 'Choose a resource …'],
    ...model.resources.map(({ key }) => key),
  ]
  const go = (event) => (location.hash = `#/${view}/${event.target.value}`)
  const chooser = choice(options, current?.key ?? '', { 'aria-label': 'Resource', onchange: go })
  const content = h('div.content')
  place.classList.add('sided')
  place.append(h('div.chooser', chooser), side, content)
  return content
}

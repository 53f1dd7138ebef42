import { add, h, layout, link } from './dom.js'
import { address } from './http.js'
import { recordList } from './list.js'
import { showRecord } from './record.js'
import { below } from './related.js'

/** Rows through the API, as policies show them. */
export function showData(place, { model, route, isDevelopment }) {
  const [key, id, name] = route.parts
  const resource = model.byKey.get(key)
  const content = layout(place, model, 'data', resource)
  if (resource === undefined) return add(content, welcome(model))
  const { index, store } = resource.actions
  const shared = {
    state: () => Object.fromEntries(route.query),
    change: (changes) => go(route, changes),
    model,
  }
  if (id === undefined) {
    const heading = h('h1', resource.key)
    const made = (record) => (location.hash = `#/data/${key}/${record.id}`)
    const list = { ...shared, heading, made, resource, path: resource.path, index, store }
    return void recordList(content, list)
  }
  const trashed = route.query.get('trashed')
  const relation = resource.relations.find((each) => each.name === name)
  const list = relation && below(relation, { model, resource, id })
  if (!list) return void showRecord(content, { model, resource, id, trashed, isDevelopment })
  const crumb = h(
    'p.crumb',
    link(`#/data/${key}`, key),
    ' / ',
    link(`#/data/${key}/${id}`, id),
    ` / ${name}`,
  )
  const rows = h('div.content')
  add(content, crumb, rows)
  void recordList(rows, { ...shared, ...list, heading: h('h1', list.resource.key) })
}

function welcome({ resources }) {
  const about =
    'Rows as your user sees them: what a policy hides is not here, and what it refuses stays as it is.'
  const links = resources.map(({ key }) => {
    return h('li', h('a.card', { href: `#/data/${key}` }, key))
  })
  return [h('h1', 'Data'), h('p.lead', about), h('ul.cards.tight', links)]
}

/** The state of a list is its address: the parameters of the API as they are. */
function go(route, changes) {
  const query = { ...Object.fromEntries(route.query), ...changes }
  location.hash = `#${address(`/data/${route.parts.map(encodeURIComponent).join('/')}`, query)}`
}

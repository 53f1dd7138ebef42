import { titleOf } from './document.js'
import { add, button, h, layout, link, replace, say, table } from './dom.js'
import { filters } from './filters.js'
import { bodyFields } from './form.js'
import { address, send } from './http.js'
import { recordForm, showRecord } from './record.js'
import { cell, cost, failed, requestLine } from './values.js'

/** Rows through the API, as policies show them. */
export function showData(place, { model, route }) {
  const [key, id, below] = route.parts
  const resource = model.byKey.get(key)
  const content = layout(place, model, 'data', resource)
  if (resource === undefined) return add(content, welcome(model))
  if (id === undefined) {
    const { index, store } = resource.actions
    return showList(content, { model, route, resource, path: resource.path, index, store })
  }
  const relation = resource.relations.find(({ name }) => name === below)
  const target = model.byKey.get(relation?.targets[0])
  if (target === undefined) return void showRecord(content, { model, resource, id })
  const path = `${resource.path}/{id}/${below}`
  const [index, store] = ['GET', 'POST'].map((method) => model.at(method, path))
  const own = path.replace('{id}', encodeURIComponent(id))
  const parent = { resource, id, name: below }
  showList(content, { model, route, resource: target, path: own, index, store, parent })
}

function welcome({ resources }) {
  const about =
    'Rows as your user sees them: what a policy hides is not here, and what it refuses stays as it is.'
  const links = resources.map(({ key }) => {
    return h('li', h('a.card', { href: `#/data/${key}` }, key))
  })
  return [h('h1', 'Data'), h('p.lead', about), h('ul.cards.tight', links)]
}

function showList(content, list) {
  const { route, resource, index, store, parent } = list
  const names = new Set(index.parameters.map(({ name }) => name))
  const adding = h('div')
  const make = () => openNew(adding, list)
  const results = h('div.results', { 'aria-busy': true }, h('p.quiet', 'Loading …'))
  add(
    content,
    parent && crumb(parent),
    h(
      'div.row.between.wrap',
      h('h1', resource.key),
      store && button('button', `New ${resource.name}`, make),
    ),
    adding,
    filters({ ...list, names }, (changes) => go(route, changes)),
    results,
  )
  void load(results, { ...list, names })
}

function crumb({ resource: { key }, id, name }) {
  return h(
    'p.crumb',
    link(`#/data/${key}`, key),
    ' / ',
    link(`#/data/${key}/${id}`, id),
    ` / ${name}`,
  )
}

/** The state of a list is its address: the parameters of the API as they are. */
function go(route, changes) {
  const query = { ...Object.fromEntries(route.query), page: null, ...changes }
  location.hash = `#${address(`/data/${route.parts.map(encodeURIComponent).join('/')}`, query)}`
}

async function load(results, list) {
  const { route, resource, path, index, names } = list
  const owners = resource.relations.filter(({ column }) => column !== null)
  const include = owners.map(({ name }) => name).join(',')
  const all = Object.entries({ ...Object.fromEntries(route.query), include })
  const query = Object.fromEntries(all.filter(([name]) => names.has(name)))
  const asked = address(path, query)
  const answer = await send('GET', asked)
  results.removeAttribute('aria-busy')
  const line = requestLine('GET', asked, index, { ...query, id: route.parts[1] })
  if (!answer.ok) return replace(results, failed(answer), line)
  const { data, meta } = answer.json
  const rows = data.length === 0 ? h('p.empty', emptyText(route)) : tableOf(data, list)
  const foot = h('div.row.between.wrap.quiet', line, cost(answer))
  replace(results, rows, pages(meta, route), foot)
}

const emptyText = ({ query }) =>
  query.size > 0 ? 'Nothing is found.' : 'There are no rows that your user may see.'

const last = ['created_at', 'updated_at']

/** What names a record comes first, times of the row last. */
function columnsOf({ fields, title }) {
  const rank = ({ name }) => (name === title ? 0 : last.includes(name) ? 2 : 1)
  return fields.filter(({ isShown }) => isShown).toSorted((one, other) => rank(one) - rank(other))
}

function tableOf(data, list) {
  const { resource, model } = list
  const columns = columnsOf(resource)
  const heads = ['id', ...columns.map(({ name }) => name)].map((name) => headOf(name, list))
  const rows = data.map((record) => {
    const href = `#/data/${resource.key}/${record.id}`
    const shownAs = (field) => {
      const found = cell(field, record, resource, model)
      return field.name === resource.title ? h('a', { href, tabindex: -1 }, found) : found
    }
    return [
      h('a', { href, 'aria-label': `Open ${titleOf(resource, record)}` }, record.id),
      ...columns.map((field) => [shownAs(field)]),
    ]
  })
  return table(`${resource.key}: ${data.length} rows`, heads, rows, '.data')
}

/** A column that may be sorted by: ascending, then descending, then as it was. */
function headOf(name, { resource, route, names }) {
  const canSort = names.has('sort') && resource.sorts.includes(name)
  if (!canSort) return h('th', { scope: 'col' }, name)
  const sort = route.query.get('sort')
  const [state, mark, next] =
    sort === name
      ? ['ascending', ' ↑', `-${name}`]
      : sort === `-${name}`
        ? ['descending', ' ↓', null]
        : ['none', '', name]
  const order = button('sort', name + mark, () => go(route, { sort: next }))
  return h('th', { scope: 'col', 'aria-sort': state }, order)
}

function pages(meta, route) {
  if (meta?.total === undefined || meta.total === 0) return null
  const { current_page: page, last_page: end, from, to, total } = meta
  const move = (to, text, label) =>
    button('small', text, () => go(route, { page: to }), {
      disabled: to < 1 || to > end,
      'aria-label': label,
    })
  return h(
    'nav.row.pages',
    { 'aria-label': 'Pages' },
    h('span', `${from}–${to} of ${total}`),
    end > 1 && move(page - 1, '← Before', 'The page before'),
    end > 1 && move(page + 1, 'Next →', 'The next page'),
  )
}

/** A form above the list. */
function openNew(place, { model, resource, path, store, parent }) {
  recordForm(place, `New ${resource.name}`, bodyFields(store, resource, model.follow), {
    model,
    cancel: () => place.replaceChildren(),
    save: (written) => send('POST', path, JSON.stringify(written)),
    done: ({ json }) => {
      say(`Made ${resource.name} ${json.data.id}.`)
      const [key, id] = parent ? [parent.resource.key, parent.id] : [resource.key, json.data.id]
      location.hash = `#/data/${key}/${id}`
    },
  })
}

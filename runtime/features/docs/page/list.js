import { own, titleOf, whole } from './document.js'
import { add, button, h, replace, say, table } from './dom.js'
import { askedIn, filters } from './filters.js'
import { address, download, problem, send } from './http.js'
import { editForm, newForm } from './record-form.js'
import { asksIn, rightsIn } from './rights.js'
import { deleteForGood, restoreRecord } from './trash.js'
import { cell, cost, failed, requestLine, shown } from './values.js'

/** The element that had the focus before the list was loaded again. */
let focused = null

/**
 * Rows in a table with what its user may do: search, filter, sort, page, make. `state()` is what is asked,
 * `change` asks otherwise. Below a record (`parent`) rows are changed where they are, and `changed` hears of it.
 */
export async function recordList(place, list) {
  const { resource, index, store, parent, heading, state, changed } = list
  const names = new Set(index.parameters.map(({ name }) => name))
  const count = h('span.quiet')
  const head = h('div.row.between.wrap', h('div.row', heading, parent && count))
  const [form, asking] = [h('div'), h('div')]
  const results = h('div.results', { 'aria-busy': true }, h('p.quiet', 'Loading …'))
  replace(place, head, form, asking, results)
  const [rights, asks] = await Promise.all([rightsIn(resource.key), asksIn(resource)])
  // The relation of `seller.name`.
  const isClosed = (name) => rights.closed.see.includes(name.split('.', 1)[0])
  const isOpen = ({ name }) => names.has(name) && !isClosed(name)
  const found = askedIn({ ...resource, matches: resource.matches.filter(isOpen) }, asks)
  const all = { ...list, names, rights, ...found, prefix: parent?.name ?? 'record' }
  let turn = 0
  const load = async () => {
    turn += 1
    const mine = turn
    const answer = await askFor(all)
    if (mine !== turn || !place.isConnected) return
    results.removeAttribute('aria-busy')
    focused ??= results.contains(document.activeElement) && document.activeElement.id
    showRows(results, answer, { ...all, edit, detach, again, change })
    replace(count, answer.json?.meta?.total)
    if (focused) document.getElementById(focused)?.focus()
    focused = null
  }
  const again = () => {
    void load()
    changed?.()
  }
  const change = (changes) => {
    focused = document.activeElement?.id || null
    list.change({ page: null, cursor: null, ...changes })
    if (!parent?.isHere) return
    draw()
    void load()
  }
  const { edit, detach, make } = actionsOf(form, { ...all, again })
  const draw = () => replace(asking, filters({ ...all, query: state() }, change))
  draw()
  const isFile = index === resource.actions.index && resource.hasFile
  const tools = [
    isFile && button('', 'Export CSV', (event) => exportOf(event.currentTarget, all)),
    store && rights.store && button('button', `New ${resource.name}`, make),
  ]
  add(head, tools.some(Boolean) && h('div.row', tools))
  if (parent?.attach) add(place, parent.attach(again))
  renewWhenSeen(place, load)
  await load()
}

/** Others write too: what is shown is of the time when somebody looks. */
function renewWhenSeen(place, load) {
  const renew = () => {
    if (!place.isConnected) document.removeEventListener('visibilitychange', renew)
    else if (!document.hidden) void load()
  }
  document.addEventListener('visibilitychange', renew)
}

/** Makes the buttons that change rows; each form has one place, and loads the list again. */
function actionsOf(form, { again, ...list }) {
  const { parent, resource, made } = list
  const saved = () => {
    say('Saved.')
    again()
  }
  const store = ({ json }) => {
    say(`Made ${resource.name} ${json.data.id}.`)
    if (made) made(json.data)
    else again()
  }
  const detach = async (record) => {
    const answer = await parent.detach(record)
    say(answer.ok ? 'Done: detach.' : problem(answer))
    if (answer.ok) again()
  }
  return {
    edit: (record) => editForm(form, { ...list, record, done: saved }),
    detach: parent?.detach ? detach : null,
    make: () => newForm(form, { ...list, done: store }),
  }
}

const queryOf = ({ resource, names, state }) => {
  const owners = resource.relations.filter(({ column }) => column !== null)
  const { cursor = '', ...rest } = state()
  // A page is found by where it begins, whatever others write meanwhile.
  const walk = names.has('cursor') && { page: null, cursor, withTotal: 'bounded' }
  const all = { ...rest, ...walk, include: owners.map(({ name }) => name).join(',') }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
}

async function exportOf(press, { resource, path, names, state }) {
  const asked = Object.entries(state()).filter(([name]) => names.has(name) && !isOfPage.test(name))
  press.disabled = true
  await download(address(path, Object.fromEntries(asked)), `${resource.key}.csv`)
  press.disabled = false
}

const isOfPage = /^(page|perPage|cursor|withTotal|include|withMeta)$/

const askFor = (list) => send('GET', address(list.path, queryOf(list)))

function showRows(results, answer, list) {
  const { path, index, parent, state } = list
  const asked = queryOf(list)
  const line = requestLine('GET', address(path, asked), index, { ...asked, id: parent?.id })
  if (!answer.ok) return replace(results, failed(answer), line)
  const { data, meta } = answer.json
  const isAll = Object.values(state()).every((each) => each == null || each === '')
  const none = state().trashed
    ? 'Nothing is found in the trash.'
    : parent || !isAll
      ? 'Nothing is found.'
      : 'There are no rows that your user may see.'
  const rows = data.length === 0 ? h('p.empty', none) : tableOf(data, list)
  const foot = h('div.row.between.wrap.quiet', line, cost(answer))
  replace(results, rows, pages(meta, data, list), foot)
}

const last = ['created_at', 'updated_at']

/**
 * What names a record comes first, times of the row last; below a record, what leads back to it is known.
 * A column that no row has, such as `deleted_at` outside the trash, is left out.
 */
function columnsOf(data, { resource, rights, store, parent, model }) {
  const { fields, title, actions } = resource
  const rank = ({ name }) => (name === title ? 0 : last.includes(name) ? 2 : 1)
  const bodyOf = (operation) => whole(operation?.body ?? {}, model.follow).properties ?? {}
  const [below, alone] = [bodyOf(store), bodyOf(actions.store)]
  const isBack = (name) => parent && store && name in alone && !(name in below)
  const isThere = (name) => data.some(({ attributes }) => own(attributes, name) !== undefined)
  return fields
    .filter(({ name }) => isThere(name) && !rights.closed.see.includes(name) && !isBack(name))
    .toSorted((one, other) => rank(one) - rank(other))
}

function tableOf(data, list) {
  const { resource, model, parent, edit, again, state } = list
  const columns = columnsOf(data, list)
  const { trashed = null } = state()
  const detach = trashed === null && list.detach
  const pivots = parent?.pivot ?? []
  const canEdit = ({ meta }) => parent && resource.actions.patch && meta?.authorizedToUpdate
  const { restore, force } = resource.actions
  const canRestore = ({ meta }) => restore && meta?.authorizedToRestore
  const canForce = ({ meta }) => trashed && force && meta?.authorizedToForceDelete
  const hasTools =
    detach || data.some((each) => canEdit(each) || canRestore(each) || canForce(each))
  const heads = [
    ...['id', ...columns.map(({ name }) => name)].map((name) => headOf(name, list)),
    ...pivots,
    ...(hasTools ? [h('td')] : []),
  ]
  const rows = data.map((record) => {
    const href = `#${address(`/data/${resource.key}/${record.id}`, { trashed })}`
    const name = titleOf(resource, record)
    const shownAs = (field) => {
      const found = cell(field, record, resource, model)
      return field.name === resource.title ? h('a', { href, tabindex: -1 }, found) : found
    }
    const act = (text, action) =>
      button('small', text, () => action(record), { 'aria-label': `${text} ${name}` })
    const tools = [
      canEdit(record) && act('Edit', edit),
      detach && act('Detach', detach),
      canRestore(record) && act('Restore', () => restoreRecord(resource, record, again)),
      canForce(record) && act('Delete for good', () => deleteForGood(resource, record, again)),
    ]
    return [
      h('a', { href, 'aria-label': `${record.id}: ${name}` }, record.id),
      ...columns.map((field) => [shownAs(field)]),
      ...pivots.map((each) => [shown(record.pivots?.[each])]),
      ...(hasTools ? [h('td', h('div.row', tools))] : []),
    ]
  })
  return table(`${resource.key}: ${data.length} rows`, heads, rows, '.data')
}

/** A column that may be sorted by: ascending, then descending, then as it was. */
function headOf(name, { resource, state, names, prefix, change }) {
  const canSort = names.has('sort') && resource.sorts.includes(name)
  if (!canSort) return h('th', { scope: 'col' }, name)
  const { sort } = state()
  const [order, mark, next] =
    sort === name
      ? ['ascending', ' ↑', `-${name}`]
      : sort === `-${name}`
        ? ['descending', ' ↓', null]
        : ['none', '', name]
  const about = { id: `${prefix}-sort-${name}` }
  const sorter = button('sort', name + mark, () => change({ sort: next }), about)
  return h('th', { scope: 'col', 'aria-sort': order }, sorter)
}

function pages(meta, data, { prefix, change }) {
  const { current_page: page, last_page: end, from, to, total } = meta
  const isWalk = meta.next_cursor !== undefined
  if (total === undefined || total === 0) return null
  const move = (changes, isThere, text, label) =>
    button('small', text, () => change(changes), {
      disabled: !isThere,
      'aria-label': label,
      id: `${prefix}-${label}`,
    })
  const before = isWalk ? meta.prev_cursor : page > 1 && Math.min(page - 1, end)
  const next = isWalk ? meta.next_cursor : page < end && page + 1
  const name = isWalk ? 'cursor' : 'page'
  const isMany = before || next
  if (prefix !== 'record' && !isMany) return null
  const all = meta.total_exact === false ? `more than ${total}` : total
  const some = isWalk ? data.length || 'none' : from === null ? 'none' : `${from}–${to}`
  return h(
    'nav.row.pages',
    { 'aria-label': 'Pages' },
    h('span', `${some} of ${all}`),
    isMany && [
      move({ [name]: before }, before, '← Before', 'The page before'),
      move({ [name]: next }, next, 'Next →', 'The next page'),
    ],
  )
}

import { own, titleOf } from './document.js'
import { add, button, confirm, h, link, replace, say } from './dom.js'
import { bodyFields, fieldsForm } from './form.js'
import { address, problem, send } from './http.js'
import { relatedLists } from './related.js'
import { cell, cost, failed, recordsOf, requestLine, shown } from './values.js'

/** One record, its relations, and what its user may do with it. */
export async function showRecord(content, { model, resource, id }) {
  const { show } = resource.actions
  if (show === null) return add(content, h('p', 'The API does not show single records of this.'))
  const path = `${resource.path}/${encodeURIComponent(id)}`
  const names = new Set(show.parameters.map(({ name }) => name))
  const isField = (name) => resource.fields.some((field) => field.name === name)
  const single = resource.relations
    .filter(({ isMany, name }) => !isMany && !isField(name))
    .map(({ name }) => name)
  const query = names.has('include') && single.length > 0 ? { include: single.join(',') } : {}
  const asked = address(path, query)
  const answer = await send('GET', asked)
  const crumb = h('p.crumb', link(`#/data/${resource.key}`, resource.key), ' / ', id)
  const line = requestLine('GET', asked, show, { ...query, id })
  if (!answer.ok) return replace(content, crumb, failed(answer), line)
  const record = answer.json.data
  const context = { model, resource, record, path }
  const place = h('div')
  const again = () => {
    replace(content)
    void showRecord(content, { model, resource, id })
  }
  const bar = actions({ ...context, place, again })
  replace(content, crumb, h('div.row.between.wrap', h('h1', titleOf(resource, record)), bar), place)
  replace(place, facts(context))
  add(content, relatedLists(context), h('div.row.between.wrap.quiet', line, cost(answer)))
}

function actions(context) {
  const { resource, record } = context
  const { patch, delete: remove } = resource.actions
  const { authorizedToUpdate: mayUpdate = true, authorizedToDelete: mayDelete = true } =
    record.meta ?? {}
  return h(
    'div.row.wrap',
    mayUpdate && mayDelete ? null : h('span.quiet', refusedText(mayUpdate, mayDelete)),
    patch && button('button', 'Edit', () => edit(context), { disabled: !mayUpdate }),
    remove && button('danger', 'Delete', () => confirmDelete(context), { disabled: !mayDelete }),
  )
}

const refusedText = (mayUpdate, mayDelete) =>
  `Your user may not ${mayUpdate ? 'delete' : mayDelete ? 'change' : 'change or delete'} it.`

function facts({ model, resource, record }) {
  const rows = resource.fields
    .filter(({ name }) => own(record.attributes, name) !== undefined)
    .map((field) => [h('dt', field.name), h('dd', cell(field, record, resource, model))])
  const made = (name) =>
    !own(record.relationships, name) &&
    model.at('POST', `${resource.path}/{id}/${name}`) &&
    link(`#/data/${resource.key}/${record.id}/${name}`, ' Make …')
  const relations = resource.relations
    .filter(
      ({ isMany, column, name }) =>
        !isMany && column === null && own(record.attributes, name) === undefined,
    )
    .map(({ name, targets }) => [
      h('dt', name),
      h('dd', relatedValue(own(record.relationships, name), targets, model), made(name)),
    ])
  return h('dl.facts.record', h('dt', 'id'), h('dd', record.id), rows, relations)
}

function relatedValue(related, targets, model) {
  if (targets.length === 0 || !related) return shown(related)
  const resource = model.byKey.get(related.type)
  return link(`#/data/${related.type}/${related.id}`, titleOf(resource, related))
}

/** Sends what was changed, and nothing else. */
function edit({ model, resource, record, path, place, again }) {
  const { patch } = resource.actions
  const values = record.attributes
  const fields = bodyFields(patch, resource, model.follow)
  recordForm(
    place,
    'Edit',
    fields.map((field) => ({ ...field, isRequired: false })),
    {
      model,
      values,
      cancel: again,
      save: (written, before) => {
        const text = (value) => JSON.stringify(value)
        const isChanged = ([name, value]) => text(value) !== text(own(before, name))
        const changed = Object.entries(written).filter(isChanged)
        return send('PATCH', path, JSON.stringify(Object.fromEntries(changed)))
      },
      done: () => {
        say('Saved.')
        again()
      },
    },
  )
}

function confirmDelete({ resource, record, path }) {
  const remove = async () => {
    const answer = await send('DELETE', path)
    say(answer.ok ? 'Deleted.' : problem(answer))
    if (answer.ok) location.hash = `#/data/${resource.key}`
  }
  const name = titleOf(resource, record)
  confirm(`Delete ${resource.name} ${record.id}, ‘${name}’?`, 'Delete', remove)
}

/** A form for a record; what the server says is wrong is shown at its field. */
export function recordForm(place, title, fields, { model, values, save, done, cancel }) {
  const choose = (key) => recordsOf(model.byKey.get(key))
  const form = fieldsForm(fields, { values, follow: model.follow, choose, prefix: 'record' })
  // Inputs write some values their own way: only what differs from that was changed.
  const before = form.read()
  const wrong = h('p.error', { role: 'alert' })
  const submit = async (event) => {
    event.preventDefault()
    const answer = await save(form.read(), before)
    const rest = form.showErrors(answer.json?.errors)
    // The fields show its message.
    const about = answer.status === 422 ? 'Not saved.' : problem(answer)
    replace(wrong, answer.ok ? null : [about, ' ', rest.join(' ')])
    if (answer.ok) done(answer)
  }
  const buttons = h('div.row', h('button.button', 'Save'), button('', 'Cancel', cancel))
  const parts = [h('h2', title), form.elements, wrong, buttons]
  const about = { novalidate: true, 'aria-label': title, onsubmit: submit }
  const shown = h('form.panel', about, parts)
  replace(place, shown)
  shown.querySelector('input, textarea, select')?.focus()
}

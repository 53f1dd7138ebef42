import { own, titleOf } from './document.js'
import { add, button, h, link, replace, say } from './dom.js'
import { address, send, session } from './http.js'
import { editForm } from './record-form.js'
import { relatedLists } from './related.js'
import { rightsIn } from './rights.js'
import { deleteForGood, deleteRecord, restoreRecord } from './trash.js'
import { cell, cost, failed, requestLine, shown } from './values.js'

/** One record, its relations, and what its user may do with it. */
export async function showRecord(content, { model, resource, id, trashed, isDevelopment }) {
  const { show } = resource.actions
  if (show === null) return add(content, h('p', 'The API does not show single records of this.'))
  const path = `${resource.path}/${encodeURIComponent(id)}`
  const trash = trashed && [link(`#/data/${resource.key}?trashed=only`, 'trash'), ' / ']
  const crumb = h('p.crumb', link(`#/data/${resource.key}`, resource.key), ' / ', trash, id)
  const head = h('div.row.between.wrap', { 'aria-busy': true })
  const [place, facts, foot] = [h('div'), h('div'), h('div.row.between.wrap.quiet')]
  const why = isDevelopment && h('div')
  add(content, crumb, head)
  const query = { ...queryOf(show, resource), trashed }
  const asked = address(path, query)
  const ask = () => Promise.all([send('GET', asked), rightsIn(resource.key)])
  const line = requestLine('GET', asked, show, { ...query, id })
  /** Draws what there is now; false where there is nothing. */
  const draw = ([answer, rights]) => {
    head.removeAttribute('aria-busy')
    if (!answer.ok) {
      replace(content, crumb, failed(answer), line, why)
      return null
    }
    const record = answer.json.data
    const context = { model, resource, record, trashed, rights, closed: rights.closed, path, place }
    const again = async () => draw(await ask())
    replace(head, h('h1', titleOf(resource, record)), actions({ ...context, again }))
    replace(facts, factsOf(context))
    replace(foot, line, cost(answer))
    return { ...context, changed: () => void again() }
  }
  const context = draw(await ask())
  if (why)
    void import('./why.js').then(({ whyOf }) => add(why, whyOf(resource.key, id, session.user?.id)))
  // Records below one in the trash cannot be listed.
  const lists = !trashed && context !== null && relatedLists(context)
  if (context !== null) add(content, place, facts, why, lists, foot)
}

/** Includes the records that it belongs to. */
function queryOf(show, { fields, relations }) {
  const isField = (name) => fields.some((field) => field.name === name)
  const single = relations.filter(({ isMany, name }) => !isMany && !isField(name))
  const canInclude = show.parameters.some(({ name }) => name === 'include') && single.length > 0
  return canInclude ? { include: single.map(({ name }) => name).join(',') } : {}
}

function actions(context) {
  const { resource, record, place, again, trashed } = context
  if (trashed === 'only') return trashActions(context)
  const { patch, delete: remove } = resource.actions
  const { authorizedToUpdate: mayUpdate = false, authorizedToDelete: mayDelete = false } =
    record.meta ?? {}
  const done = () => {
    say('Saved.')
    void again()
  }
  const left = () => leave(place, `#/data/${resource.key}`)
  const edit = () => editForm(place, { ...context, done })
  return h(
    'div.row.wrap',
    mayUpdate && mayDelete ? null : h('span.quiet', refusedText(mayUpdate, mayDelete)),
    patch && button('button', 'Edit', edit, { disabled: !mayUpdate }),
    remove &&
      button('danger', 'Delete', () => deleteRecord(resource, record, left), {
        disabled: !mayDelete,
      }),
  )
}

function trashActions({ resource, record, place }) {
  const { authorizedToRestore, authorizedToForceDelete } = record.meta ?? {}
  const list = `#/data/${resource.key}`
  const restored = () => leave(place, `${list}/${record.id}`)
  const deleted = () => leave(place, `${list}?trashed=only`)
  const restore = () => restoreRecord(resource, record, restored)
  const remove = () => deleteForGood(resource, record, deleted)
  return h(
    'div.row.wrap',
    h('span.quiet', 'It is in the trash.'),
    resource.actions.restore &&
      button('button', 'Restore', restore, { disabled: !authorizedToRestore }),
    resource.actions.force &&
      authorizedToForceDelete &&
      button('danger', 'Delete for good', remove),
  )
}

/** Leads elsewhere, unless somebody went there meanwhile. */
function leave(place, href) {
  if (place.isConnected) location.hash = href
}

const refusedText = (mayUpdate, mayDelete) =>
  `Your user may not ${mayUpdate ? 'delete' : mayDelete ? 'change' : 'change or delete'} it.`

function factsOf({ model, resource, record, trashed, closed }) {
  const rows = resource.fields
    .filter(({ name }) => own(record.attributes, name) !== undefined)
    .map((field) => [h('dt', field.name), h('dd', cell(field, record, resource, model))])
  const relations = resource.relations
    .filter(
      ({ isMany, column, name }) =>
        !isMany &&
        column === null &&
        own(record.attributes, name) === undefined &&
        !closed.see.includes(name),
    )
    .map(({ name, targets }) => {
      const related = own(record.relationships, name)
      const value = h('dd', relatedValue(related, targets, model))
      if (!related && !trashed && model.at('POST', `${resource.path}/{id}/${name}`)) {
        const make = link(`#/data/${resource.key}/${record.id}/${name}`, ' Make …')
        void rightsIn(targets[0]).then(({ store }) => add(value, store && make))
      }
      return [h('dt', name), value]
    })
  return h('dl.facts.record', h('dt', 'id'), h('dd', record.id), rows, relations)
}

function relatedValue(related, targets, model) {
  if (targets.length === 0 || !related) return shown(related)
  const resource = model.byKey.get(related.type)
  return link(`#/data/${related.type}/${related.id}`, titleOf(resource, related))
}

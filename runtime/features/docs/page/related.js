import { kindOf } from './document.js'
import { h, link, replace, say } from './dom.js'
import { bodyFields, fieldsForm } from './form.js'
import { problem, send } from './http.js'
import { recordList } from './list.js'
import { recordPicker } from './picker.js'

/** Returns the parts of a list of related records; null where the API has none. */
export function below(relation, { model, resource, id }) {
  const { name, targets } = relation
  const target = model.byKey.get(targets[0])
  const place = `${resource.path}/{id}`
  const index = model.at('GET', `${place}/${name}`)
  if (target === undefined || index === null) return null
  const path = `${resource.path}/${encodeURIComponent(id)}`
  const isPivot = kindOf(relation) === 'many to many'
  // `/posts/{id}/attach/tags`, where the API has it.
  const [attach, detach] = ['attach', 'detach'].map(
    (what) => isPivot && model.at('POST', `${place}/${what}/${name}`),
  )
  const act = (what, written) => send('POST', `${path}/${what}/${name}`, JSON.stringify(written))
  const parent = {
    resource,
    id,
    name,
    pivot: relation.pivot,
    detach: detach && ((record) => act('detach', { [name]: [record.id] })),
    attach: attach && ((again) => attachForm(attach, { model, name, target, again, act })),
  }
  return {
    ...{ model, resource: target, index, parent },
    path: `${path}/${name}`,
    store: model.at('POST', `${place}/${name}`),
  }
}

/** Shows the first records of each relation; each list is one request. */
export function relatedLists(context) {
  const { resource, record, closed, changed } = context
  const lists = resource.relations.filter(
    ({ isMany, name }) => isMany && !closed.see.includes(name),
  )
  return lists.map((relation) => {
    const list = below(relation, { ...context, id: record.id })
    if (list === null) return null
    const place = h('section')
    const parameters = { perPage: 5 }
    const href = `#/data/${resource.key}/${record.id}/${relation.name}`
    void recordList(place, {
      ...list,
      parent: { ...list.parent, isHere: true },
      state: () => parameters,
      change: (changes) => Object.assign(parameters, changes),
      heading: h('h2', link(href, relation.name)),
      changed,
    })
    return place
  })
}

function attachForm(operation, { model, name, target, again, act }) {
  const id = `attach-${name}`
  const about = { id, 'aria-label': `Attach to ${name}`, isNullable: false, isRequired: true }
  const place = h('div.row.wrap')
  const fields = bodyFields(operation, null, model.follow).filter((field) => field.name !== name)
  const draw = () => {
    const picker = recordPicker(about, target)
    const form = fieldsForm(fields, { model, prefix: id })
    const onsubmit = async (event) => {
      event.preventDefault()
      const answer = await act('attach', { ...form.read(), [name]: [picker.read()] })
      say(answer.ok ? 'Done: attach.' : problem(answer))
      if (!answer.ok) return
      draw()
      again()
    }
    const attach = h('button.small', 'Attach')
    replace(place, h('form.row.wrap.attach', { onsubmit }, picker.element, form.elements, attach))
  }
  draw()
  return place
}

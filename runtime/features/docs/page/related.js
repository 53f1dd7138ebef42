import { kindOf, titleOf } from './document.js'
import { add, button, choice, h, link, replace, say } from './dom.js'
import { bodyFields, fieldsForm } from './form.js'
import { address, problem, send } from './http.js'
import { recordsOf, shown } from './values.js'

/** What belongs to a record, the first of each kind; each list is asked for by itself. */
export function relatedLists(context) {
  const { resource } = context
  const lists = resource.relations.filter(({ isMany, targets }) => isMany && targets.length > 0)
  return lists.map((relation) => {
    const place = h('section', { 'aria-busy': true }, h('h2', relation.name))
    void load(place, { ...context, relation })
    return place
  })
}

async function load(place, { model, resource, record, path, relation }) {
  const { name, targets } = relation
  const target = model.byKey.get(targets[0])
  const answer = await send('GET', address(`${path}/${name}`, { perPage: 5 }))
  place.removeAttribute('aria-busy')
  if (!answer.ok) return add(place, h('p.quiet', problem(answer)))
  const { data, meta } = answer.json
  const again = () => load(place, { model, resource, record, path, relation })
  // `/posts/{id}/attach/tags`, where the API has it.
  const pivot = (what) => {
    const at = `${resource.path}/{id}/${what}/${name}`
    const isPivot = kindOf(relation) === 'many to many'
    return isPivot ? model.at('POST', at) : null
  }
  const act = async (what, written) => {
    const done = await send('POST', `${path}/${what}/${name}`, JSON.stringify(written))
    say(done.ok ? `Done: ${what}.` : problem(done))
    if (done.ok) await again()
  }
  const rows = data.map((each) => {
    const title = titleOf(target, each)
    const pivots = Object.entries(each.pivots ?? {}).map(([key, value]) => [
      h('span.quiet', `${key} `),
      shown(value),
    ])
    const detach = () => act('detach', { [name]: [each.id] })
    const remove =
      pivot('detach') && button('small', 'Detach', detach, { 'aria-label': `Detach ${title}` })
    return h(
      'li.row.between',
      link(`#/data/${target.key}/${each.id}`, title),
      h('span.row', pivots, remove),
    )
  })
  const all = link(`#/data/${resource.key}/${record.id}/${name}`, 'All →')
  const attach = pivot('attach')
  replace(
    place,
    h('div.row.between', h('h2', name, ' ', h('span.quiet', meta.total)), all),
    rows.length === 0 ? h('p.quiet', 'None.') : h('ul.rows', rows),
    attach &&
      attachForm(attach, {
        model,
        name,
        target,
        taken: data,
        attach: (written) => act('attach', written),
      }),
  )
}

function attachForm(operation, { model, name, target, taken, attach }) {
  const picker = choice([['', `Attach one of ${target.key} …`]], '', {
    'aria-label': `Attach to ${name}`,
  })
  const ids = new Set(taken.map(({ id }) => id))
  const fillOnce = async () => {
    const found = (await recordsOf(target)) ?? []
    const free = found.filter(([id]) => !ids.has(id))
    add(
      picker,
      free.map(([value, text]) => h('option', { value }, text)),
    )
  }
  picker.addEventListener('focus', fillOnce, { once: true })
  const fields = bodyFields(operation, null, model.follow).filter((field) => field.name !== name)
  const form = fieldsForm(fields, { follow: model.follow, prefix: `attach-${name}` })
  const submit = (event) => {
    event.preventDefault()
    if (picker.value !== '') void attach({ ...form.read(), [name]: [picker.value] })
  }
  const attachIt = h('button.small', 'Attach')
  return h('form.row.wrap.attach', { onsubmit: submit }, picker, form.elements, attachIt)
}

import { kindOf, matchSchema, typeWords } from './document.js'
import { add, badge, h, layout, link, method, table } from './dom.js'

/** Every repository, and what there is of one. */
export function showResources(place, { model, route }) {
  const resource = model.byKey.get(route.parts[0])
  const content = layout(place, model, 'resources', resource)
  add(content, resource === undefined ? overview(model) : about(resource, model))
}

function overview(model) {
  const cards = model.resources.map((resource) => {
    const { key, description, fields, relations } = resource
    const own = fields
      .map(({ name }) => name)
      .filter((name) => !/^(created|updated)_at$/.test(name))
    const names = relations.filter(({ targets }) => targets.length > 0).map(({ name }) => name)
    return h(
      'li.card',
      h('h2', link(`#/resources/${key}`, key)),
      description && h('p', description),
      h('p.quiet', own.join(', ')),
      names.length > 0 && h('p.quiet', '→ ', names.join(', ')),
      h(
        'p.row',
        h('a.button', { href: `#/data/${key}` }, 'Browse data'),
        link(`#/try/${resource.actions.index.id}`, 'Try'),
      ),
    )
  })
  const count = `${model.resources.length} resources, ${model.operations.length} operations. See and change rows under Data, send any request and copy its code under Try.`
  const hint = ' Press / to search everything.'
  return [
    h('h1', model.title),
    h('p.lead', count, h('span.keys', hint)),
    h('ul.cards', cards),
    ...others(model),
    h('details', h('summary', 'How lists are asked'), h('p.pre.quiet', model.about)),
  ]
}

/** Operations that belong to no repository: signing in, health, the developer's own. */
function others(model) {
  const rest = [...model.byTag].filter(([tag]) => !model.byKey.has(tag))
  return rest.map(([tag, list]) => h('section', h('h2', tag), operations(list)))
}

export function operations(all) {
  const rows = all.map(({ id, method: verb, path, summary }) =>
    h('li', link(`#/try/${id}`, method(verb), h('code', path)), h('span.quiet', summary)),
  )
  return h('ul.operations', rows)
}

function about(resource, model) {
  const { key, description, matches, sorts, canSearch, relations } = resource
  return [
    h(
      'div.row.between.wrap',
      h('h1', key),
      h('a.button', { href: `#/data/${key}` }, 'Browse data'),
    ),
    description && h('p', description),
    h('section', h('h2', 'Fields'), fieldTable(resource, model)),
    relations.length > 0 &&
      h('section', h('h2', 'Relations, for include'), relationTable(resource)),
    h('section', h('h2', 'Lists'), h('dl.facts', facts({ matches, sorts, canSearch }, model))),
    h('section', h('h2', 'Operations'), operations(resource.operations)),
  ]
}

function fieldTable({ fields, key, title }, { follow, byKey }) {
  const rows = fields.map((field) => {
    const { name, schema, target, isShown, canStore, canPatch, isRequired } = field
    const canWrite = canStore || canPatch
    const type = byKey.has(target)
      ? ['id of ', link(`#/resources/${target}`, target)]
      : typeWords(canWrite ? field.input : schema, follow)
    const notes = [
      name === title && badge('title', 'cool'),
      isRequired && badge('required', 'warm'),
      !canWrite && badge('read only'),
      !isShown && badge('write only'),
      canStore && !canPatch && badge('only when made'),
      schema.description && h('div.quiet', schema.description),
    ]
    return [h('code', name), [type], notes]
  })
  return table(`Fields of ${key}`, ['Field', 'Type', 'Notes'], rows)
}

function relationTable({ relations, key }) {
  const rows = relations.map((relation) => {
    const { name, targets, pivot, column, description } = relation
    const to = targets.map((target, at) => [
      at > 0 && ' or ',
      link(`#/resources/${target}`, target),
    ])
    const notes = [
      column && ['by ', h('code', column)],
      pivot?.length > 0 && ['with ', h('code', pivot.join(', '))],
      description,
    ]
    return [h('code', name), to, kindOf(relation), notes]
  })
  return table(`Relations of ${key}`, ['Include', 'To', 'Kind', 'Notes'], rows)
}

function facts({ matches, sorts, canSearch }, { follow }) {
  const listed = (all, made) => all.map((each, at) => [at > 0 && ', ', made(each)])
  const kind = (schema) => ` (${typeWords(matchSchema(schema, follow), follow)})`
  const rows = {
    Search: canSearch && h('code', 'search=…'),
    'Sort by': listed(sorts, (name) => h('code', name)),
    'Filter by': listed(matches, ({ name, schema }) => [h('code', name), kind(schema)]),
  }
  return Object.entries(rows).map(([name, value]) => {
    return [h('dt', name), h('dd', value === false || value.length === 0 ? 'not declared' : value)]
  })
}

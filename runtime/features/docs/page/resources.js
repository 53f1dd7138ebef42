import { kindOf, typeWords } from './document.js'
import { badge, h, link } from './dom.js'
import { layout } from './layout.js'

/** What there is: every repository, and of one its fields, relations and what lists can be asked. */
export function showResources(place, { model, route }) {
  const resource = model.byKey.get(route.parts[0])
  const content = layout(place, model, 'resources', resource)
  if (resource === undefined) content.append(...overview(model))
  else content.append(...about(resource, model))
}

function overview(model) {
  const cards = model.resources.map((resource) => {
    const { key, description, fields, relations } = resource
    const names = relations.filter(({ targets }) => targets.length > 0).map(({ name }) => name)
    return h(
      'li.card',
      h('h2', link(`#/resources/${key}`, key)),
      description === '' ? null : h('p', description),
      h(
        'p.quiet',
        fields
          .map(({ name }) => name)
          .filter((name) => !/^(created|updated)_at$/.test(name))
          .join(', '),
      ),
      names.length === 0 ? null : h('p.quiet', '→ ', names.join(', ')),
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
  const rest = model.operations.filter(({ tag }) => !model.byKey.has(tag))
  const tags = [...new Set(rest.map(({ tag }) => tag))]
  return tags.map((tag) =>
    h('section', h('h2', tag), operations(rest.filter((each) => each.tag === tag))),
  )
}

export function operations(list) {
  const rows = list.map(({ id, method, path, summary }) =>
    h(
      'li',
      link(`#/try/${id}`, h('span', { class: `method ${method}` }, method), h('code', path)),
      h('span.quiet', summary),
    ),
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
    description === '' ? null : h('p', description),
    h('section', h('h2', 'Fields'), fieldTable(resource, model)),
    relations.length === 0
      ? null
      : h('section', h('h2', 'Relations, for include'), relationTable(resource)),
    h('section', h('h2', 'Lists'), h('dl.facts', facts({ matches, sorts, canSearch }, model))),
    h('section', h('h2', 'Operations'), operations(resource.operations)),
  ].filter((each) => each !== null)
}

function fieldTable({ fields, key, title }, { follow, byKey }) {
  const rows = fields.map((field) => {
    const { name, schema, target, isShown, canStore, canPatch, isRequired } = field
    const marks = [
      name === title ? badge('title', 'cool') : null,
      isRequired ? badge('required', 'warm') : null,
      !canStore && !canPatch ? badge('read only') : null,
      !isShown ? badge('write only') : null,
      canStore && !canPatch ? badge('only when made') : null,
    ]
    const type = byKey.has(target)
      ? ['id of ', link(`#/resources/${target}`, target)]
      : typeWords(canStore || canPatch ? field.input : schema, follow)
    return h(
      'tr',
      h('th', { scope: 'row' }, h('code', name)),
      h('td', type),
      h('td', marks, schema.description ? h('div.quiet', schema.description) : null),
    )
  })
  return scrolling(
    h(
      'table',
      { 'aria-label': `Fields of ${key}` },
      head('Field', 'Type', 'Notes'),
      h('tbody', rows),
    ),
    `Fields of ${key}`,
  )
}

function relationTable({ relations, key }) {
  const rows = relations.map((relation) => {
    const { name, targets, pivot, column, description } = relation
    const to = targets.map((target, at) => [
      at > 0 ? ' or ' : '',
      link(`#/resources/${target}`, target),
    ])
    const notes = [
      column === null ? null : ['by ', h('code', column)],
      pivot?.length > 0 ? ['with ', h('code', pivot.join(', '))] : null,
      description,
    ]
    return h(
      'tr',
      h('th', { scope: 'row' }, h('code', name)),
      h('td', to),
      h('td', kindOf(relation)),
      h('td', notes),
    )
  })
  return scrolling(
    h(
      'table',
      { 'aria-label': `Relations of ${key}` },
      head('Include', 'To', 'Kind', 'Notes'),
      h('tbody', rows),
    ),
    `Relations of ${key}`,
  )
}

const head = (...names) =>
  h(
    'thead',
    h(
      'tr',
      names.map((name) => h('th', { scope: 'col' }, name)),
    ),
  )

/** A table that is wider than the page scrolls for itself. */
export const scrolling = (table, label) =>
  h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': label }, table)

function facts({ matches, sorts, canSearch }, { follow }) {
  const codes = (names) => names.map((name, at) => [at > 0 ? ' ' : '', h('code', name)])
  const rows = [
    ['Search', canSearch ? h('code', 'search=…') : 'not declared'],
    ['Sort by', sorts.length > 0 ? codes(sorts) : 'not declared'],
    [
      'Filter by',
      matches.length > 0
        ? matches.map(({ name, schema }, at) => [
            at > 0 ? ', ' : '',
            h('code', name),
            ` (${typeWords(matchSchema(schema, follow), follow)})`,
          ])
        : 'not declared',
    ],
  ]
  return rows.map(([name, value]) => [h('dt', name), h('dd', value)])
}

/** One value of what a match takes: it is a value, or a list of them. */
export function matchSchema(schema, follow) {
  const found = follow(schema)
  const first = follow(found.anyOf?.[0] ?? found)
  const one = follow(first.items ?? first)
  return { ...one, ...one.anyOf?.[0] }
}

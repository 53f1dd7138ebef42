import { matchSchema, typeWords } from './document.js'
import { badge, h } from './dom.js'
import { inputOf } from './form.js'

/** Seldom asked, and so behind the others: what a column is not, how it compares, and sizes of related lists. */
const isSeldom = ({ name }) =>
  /^(-|filter\[)/.test(name) || /^(relatablePerPage|withMeta)$/.test(name)

/** The parameters of an operation as inputs; `given` are values to begin with. */
export function parametersForm({ parameters }, given, follow) {
  const inputs = parameters.map((each) => parameterInput(each, given.get(each.name), follow))
  const grid = (all) =>
    h(
      'div.grid',
      all.map(({ field }) => field),
    )
  const inPath = inputs.filter(({ isPath }) => isPath)
  const inQuery = inputs.filter(({ place }) => place === 'query')
  const inHeader = inputs.filter(({ place }) => place === 'header')
  const seldom = inQuery.filter(isSeldom)
  const usual = inQuery.filter((each) => !isSeldom(each))
  const more = h(
    'details',
    { open: seldom.some(({ name }) => given.has(name)) },
    h('summary', 'More'),
    grid(seldom),
  )
  return {
    elements: [
      inPath.length > 0 && h('fieldset', h('legend', 'Path'), grid(inPath)),
      inQuery.length > 0 &&
        h('fieldset', h('legend', 'Query'), grid(usual), seldom.length > 0 && more),
      inHeader.length > 0 && h('fieldset', h('legend', 'Headers'), grid(inHeader)),
    ],
    /** The input of the path that has nothing yet. */
    missing: () => inPath.find(({ read }) => !read())?.element,
    path: (path) =>
      inPath.reduce((made, { name, read }) => {
        const value = read()
        return value ? made.replace(`{${name}}`, encodeURIComponent(value)) : made
      }, path),
    ids: () => inPath.map(({ name, read }) => read() || `{${name}}`),
    headers: () =>
      Object.fromEntries(
        inHeader.map(({ name, read }) => [name, read()]).filter(([, text]) => text),
      ),
    query: () => Object.fromEntries(inQuery.map(({ name, read }) => [name, read()])),
  }
}

/** One parameter; a list is written `a,b`. */
function parameterInput({ name, in: place, description, schema }, given, follow) {
  const found = follow(schema)
  const first = follow(found.anyOf?.[0] ?? found)
  const item = follow(first.items ?? first)
  const isPath = place === 'path'
  const id = `parameter-${name}`
  const isText = first.type === 'array' || first.type === 'string'
  const kind = isText ? { type: 'string', maxLength: 200 } : first
  const { element, read } = inputOf(kind, { value: given ?? undefined, id })
  const options =
    item.enum?.filter((each) => !String(each).startsWith('-')).join(', ') ?? namesIn(item)
  const about = [
    options,
    description ?? (options === '' ? typeWords(matchSchema(schema, follow), follow) : ''),
  ]
  const label = h('label.label', { for: id }, name, ' ', isPath && badge('required', 'warm'))
  const notes = about.map((text) => text && h('span.quiet.about', text))
  return { name, place, isPath, element, read, field: h('div.field', label, element, notes) }
}

/** `^ *(owner|comments) *…`: the names that `include` takes. */
const namesIn = ({ pattern = '' }) =>
  /^\^ \*\(([^)]+)\)/.exec(pattern)?.[1].replaceAll('|', ', ') ?? ''

import { button, choice, h, replace } from './dom.js'
import { inputOf } from './form.js'
import { matchSchema } from './resources.js'

/** What a list is asked; each part can be taken away. */
export function filters({ model, resource, route, names }, go) {
  const matches = resource.matches.filter(({ name }) => names.has(name))
  const asked = matches
    .flatMap(({ name }) => [name, `-${name}`])
    .filter((name) => route.query.get(name) !== null)
  const chips = asked.map((name) => {
    const is = name.startsWith('-') ? 'is not' : 'is'
    const text = `${name.replace(/^-/, '')} ${is} ${route.query.get(name)}`
    const about = { 'aria-label': `Remove the filter: ${text}` }
    return button('chip', `${text} ×`, () => go({ [name]: null }), about)
  })
  return h(
    'div.row.wrap',
    names.has('search') && searchForm(resource.key, route.query.get('search'), go),
    matches.length > 0 && filterForm(matches, model, go),
    chips,
  )
}

function searchForm(key, value, go) {
  const label = `Search ${key} …`
  const about = { 'aria-label': label, placeholder: label }
  const input = h('input', { type: 'search', value, ...about })
  const onsubmit = (event) => {
    event.preventDefault()
    go({ search: input.value })
  }
  return h('form', { onsubmit }, input)
}

function filterForm(matches, { follow }, go) {
  const holder = h('span.holder')
  let input = null
  const pick = () => {
    const { schema } = matches.find(({ name }) => name === column.value)
    const isRange = follow(follow(schema).anyOf?.[0]).maxItems === 2
    const one = isRange ? { type: 'string' } : matchSchema(schema, follow)
    input = inputOf({ maxLength: 200, ...one }, { isRequired: true })
    if (isRange) input.element.placeholder = 'from,to'
    input.element.setAttribute('aria-label', 'Value')
    replace(holder, input.element)
  }
  const keys = matches.map(({ name }) => name)
  const column = choice(keys, keys[0], { 'aria-label': 'Column', onchange: pick })
  const words = Object.entries({ '': 'is', '-': 'is not' })
  const word = choice(words, '', { 'aria-label': 'Comparison' })
  pick()
  const onsubmit = (event) => {
    event.preventDefault()
    const value = input.read()
    if (value != null) go({ [word.value + column.value]: String(value) })
  }
  const apply = h('button.small', 'Apply')
  const form = h('form.row.wrap', { onsubmit }, column, word, holder, apply)
  return h('details.filter', h('summary', 'Filter'), form)
}

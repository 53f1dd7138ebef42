import { matchSchema } from './document.js'
import { button, choice, h, replace } from './dom.js'
import { inputOf } from './form.js'
import { nameOf } from './picker.js'

/** Comparisons of a column, in words; what else there is can be said without them. */
const comparisons = {
  gte: 'is at least',
  gt: 'is more than',
  lte: 'is at most',
  lt: 'is less than',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
}

/** `gte` of `filter[price][gte]`. */
const wordOf = (name) => /\[(\w+)\]$/.exec(name)?.[1]

/** What a list is asked; each part can be taken away. */
export function filters({ model, resource, matches, names, query, prefix }, change) {
  const chips = matches
    .flatMap((match) => {
      const names = [match.name, `-${match.name}`, ...match.compared.map(({ name }) => name)]
      return names.map((name) => ({ match, name }))
    })
    .filter(({ name }) => query[name] != null)
    .map(({ match, name }) => chip(match, name, query[name], { model, resource, change }))
  return h(
    'div.row.wrap',
    names.has('search') && searchForm(resource.key, query.search, change),
    matches.length > 0 && filterForm(matches, { model, resource, prefix, change }),
    chips,
  )
}

function chip({ name: column }, name, value, { model, resource, change }) {
  const isNot = name.startsWith('-')
  const remove = button('chip', '', () => change({ [name]: null }))
  const say = (words) => {
    remove.textContent = `${column} ${words} ×`
    remove.setAttribute('aria-label', `Remove the filter: ${column} ${words}`)
  }
  const saidAs = (words) => `${isNot ? 'is not' : 'is'} ${words}`
  const word = name.startsWith('filter[') && wordOf(name)
  if (word) {
    say(`${comparisons[word] ?? word} ${value}`)
    return remove
  }
  const target = targetOf(column, { model, resource })
  say(value === 'null' ? (isNot ? 'is set' : 'is empty') : saidAs(value))
  if (target && value !== 'null')
    void nameOf(target, value).then((found) => found !== null && say(saidAs(found)))
  return remove
}

const targetOf = (column, { model, resource }) =>
  model.byKey.get(resource.fields.find(({ name }) => name === column)?.target)

function searchForm(key, value, change) {
  const label = `Search ${key} …`
  const about = { 'aria-label': label, placeholder: label }
  const input = h('input', { type: 'search', value, ...about })
  const onsubmit = (event) => {
    event.preventDefault()
    change({ search: input.value })
  }
  return h('form', { onsubmit }, input)
}

/** A column, how it is compared, and an input that fits its kind. */
function filterForm(matches, about) {
  const { resource, prefix, change } = about
  const place = h('span.row.wrap')
  let read = null
  const draw = () => {
    const match = matches.find(({ name }) => name === column.value)
    const field = resource.fields.find(({ name }) => name === match.name)
    const kinds = [field?.schema.type].flat()
    const mayMiss = kinds.includes('null') || field?.schema.enum?.includes(null)
    const value = valueOf(match, about)
    const words = { '': `is${value.word}`, '-': `is not${value.word}` }
    if (mayMiss) Object.assign(words, { null: 'is empty', '-null': 'is set' })
    const compared = match.compared.filter((each) => comparisons[wordOf(each.name)])
    for (const each of compared) words[each.name] = comparisons[wordOf(each.name)]
    let current = value
    const holder = h('span.row', value.elements)
    const isNone = () => word.value.endsWith('null')
    const comparison = () => compared.find(({ name }) => name === word.value)
    const onchange = () => {
      current = comparison() ? comparedValue(comparison(), about) : value
      replace(holder, !isNone() && current.elements)
    }
    const word = choice(Object.entries(words), '', { 'aria-label': 'Comparison', onchange })
    replace(place, word, holder)
    read = () => {
      const found = isNone() ? 'null' : current.read()
      const name = comparison() ? word.value : word.value.replace('null', '') + match.name
      return found === null ? null : { [name]: found }
    }
  }
  const keys = matches.map(({ name }) => name)
  const column = choice(keys, keys[0], { 'aria-label': 'Column', onchange: () => draw() })
  draw()
  const onsubmit = (event) => {
    event.preventDefault()
    const changes = read()
    if (changes !== null) change(changes)
  }
  const apply = h('button.small', 'Apply')
  const form = h('form.row.wrap', { onsubmit, id: `${prefix}-filter` }, column, place, apply)
  return h('details.filter', h('summary', 'Filter'), form)
}

/** Some of options, yes or no, a record, from one day or number to another, or one value. */
function valueOf({ name, schema }, { model, resource, prefix }) {
  const { follow } = model
  const list = follow(follow(schema).anyOf?.[0])
  const item = matchSchema(schema, follow)
  const target = targetOf(name, { model, resource })
  const labelled = (label, item, more = {}) => labelledInput(prefix, label, item, more)
  if (list.maxItems !== 2) {
    const several = { type: 'array', items: item }
    const one = item.enum && list.items ? several : { maxLength: 200, ...item }
    const { element, read } = labelled('Value', one, { target })
    return { word: '', elements: element, read: () => textOf(read()) }
  }
  const isTime = /^date/.test(item.format)
  const ends = isTime ? ['0001-01-01', '9999-12-31'] : [item.minimum, item.maximum]
  const parts = ['From', 'To'].map((label, at) => {
    const one = isTime ? { type: 'string', format: 'date' } : item
    return labelled(label, one, { isRequired: ends[at] === undefined })
  })
  const read = () => {
    const values = parts.map((part) => part.read())
    if (values.every((value) => value == null)) return null
    return values.map((value, at) => value ?? ends[at]).join(',')
  }
  return { word: ' between', elements: parts.map(({ element }) => element), read }
}

function labelledInput(prefix, label, item, more = {}) {
  const input = inputOf(item, { isRequired: true, id: `${prefix}-filter-value-${label}`, ...more })
  const element = input.element.querySelector('.holder > input') ?? input.element
  element.setAttribute('aria-label', label)
  return input
}

/** What a column is compared with. */
function comparedValue({ schema }, { model, prefix }) {
  const item = { maxLength: 200, ...matchSchema(schema, model.follow) }
  const { element, read } = labelledInput(prefix, 'Value', item)
  return { word: '', elements: element, read: () => textOf(read()) }
}

const textOf = (value) => (value == null || String(value) === '' ? null : String(value))

import { matchSchema, saidOf } from './document.js'
import { button, choice, h, replace } from './dom.js'
import { inputOf } from './form.js'
import { nameOf } from './picker.js'
import { trashSwitch } from './trash.js'

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

/** Shows the filters of a list; each can be removed. */
export function filters({ model, resource, matches, own, names, query, prefix }, change) {
  const chips = matches.flatMap((match) =>
    [match.name, `-${match.name}`, ...match.compared.map(({ name }) => name)]
      .filter((name) => query[name] != null)
      .map((name) => chip(match, name, query[name], { model, resource, change })),
  )
  const said = saidOf(query)
  const chipsOfOwn = said.map(({ key, value }) => {
    const { label = key } = own.find(({ name }) => name === key) ?? {}
    const without = said.filter((each) => each.key !== key)
    return removing(label, () => change(filtersOf(without)))(`is ${value}`)
  })
  const about = { model, resource, prefix, change, query }
  return h(
    'div.row.wrap',
    names.has('search') && searchForm(resource.key, query.search, change),
    names.has('trashed') && trashSwitch(query, prefix, change),
    matches.length + own.length > 0 && filterForm([...matches, ...own], about),
    chips,
    chipsOfOwn,
  )
}

/** Lists the filters of the user, in the words of the server's answer where it has one. */
export function askedIn({ matches, filters }, found) {
  const said = (all, rows) =>
    all
      .filter(({ name }) => !rows || rows.has(name))
      .map((each) => ({ ...each, ...rows?.get(each.name) }))
  return {
    matches: said(matches, found?.match),
    own: said(filters, found?.filter).map((each) => ({ ...each, isOwn: true })),
  }
}

const filtersOf = (said) => {
  const bytes = new TextEncoder().encode(JSON.stringify(said))
  return { filters: said.length === 0 ? null : btoa(String.fromCharCode(...bytes)) }
}

/** A filter that is set; pressed, it is none any more. Its words may become better ones. */
function removing(label, onclick) {
  const remove = button('chip', '', onclick)
  return (words) => {
    remove.textContent = `${label} ${words} ×`
    remove.setAttribute('aria-label', `Remove the filter: ${label} ${words}`)
    return remove
  }
}

function chip(match, name, value, { model, resource, change }) {
  const isNot = name.startsWith('-')
  const say = removing(labelOf(match), () => change({ [name]: null }))
  const saidAs = (words) => `${isNot ? 'is not' : 'is'} ${words}`
  const word = name.startsWith('filter[') && wordOf(name)
  if (word) return say(`${comparisons[word] ?? word} ${value}`)
  const target = targetOf(match, { model, resource })
  if (target && value !== 'null')
    void nameOf(target, value).then((found) => found !== null && say(saidAs(found)))
  return say(value === 'null' ? (isNot ? 'is set' : 'is empty') : saidAs(value))
}

const labelOf = ({ name, label = name }) => label

const targetOf = ({ name: column, repository }, { model, resource }) =>
  model.byKey.get(repository ?? resource.fields.find(({ name }) => name === column)?.target)

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

/** A column, how it is compared, and an input that fits its kind; or one of the server's custom filters. */
function filterForm(all, about) {
  const { prefix, change, query } = about
  const place = h('span.row.wrap')
  const note = h('span.quiet.about')
  const keyOf = ({ name, isOwn }) => (isOwn ? `filters:${name}` : name)
  let read = null
  const draw = () => {
    const asked = all.find((each) => keyOf(each) === column.value)
    const made = asked.isOwn ? ownFilter(asked, query, prefix) : matchFilter(asked, about)
    replace(place, made.elements)
    replace(note, asked.description)
    read = made.read
  }
  const names = all.map((each) => [keyOf(each), labelOf(each)])
  const column = choice(names, names[0][0], { 'aria-label': 'Column', onchange: () => draw() })
  draw()
  const onsubmit = (event) => {
    event.preventDefault()
    const changes = read()
    if (changes !== null) change(changes)
  }
  const apply = h('button.small', 'Apply')
  const form = h('form.row.wrap', { onsubmit, id: `${prefix}-filter` }, column, place, apply, note)
  return h('details.filter', h('summary', 'Filter'), form)
}

function ownFilter({ name, schema, placeholder }, query, prefix) {
  const { element, read } = labelledInput(prefix, 'Value', schema, { placeholder })
  return {
    elements: element,
    read() {
      const value = read()
      if (value == null || value === '') return null
      const others = saidOf(query).filter(({ key }) => key !== name)
      return filtersOf([...others, { key: name, value }])
    },
  }
}

function matchFilter(match, about) {
  const { resource } = about
  const field = resource.fields.find(({ name }) => name === match.name)
  const kinds = [field?.schema.type].flat()
  const mayMiss = kinds.includes('null') || field?.schema.enum?.includes(null)
  const value = valueOf(match, about)
  const words = { '': `is${value.word}` }
  if (match.canNegate) words['-'] = `is not${value.word}`
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
  const read = () => {
    const found = isNone() ? 'null' : current.read()
    const name = comparison() ? word.value : word.value.replace('null', '') + match.name
    return found === null ? null : { [name]: found }
  }
  return { elements: [word, holder], read }
}

/** Some of options, yes or no, a record, from one day or number to another, or one value. */
function valueOf(match, { model, resource, prefix }) {
  const { follow } = model
  const { schema, placeholder } = match
  const found = follow(schema)
  const list = follow(found.anyOf?.[0] ?? found)
  const item = matchSchema(schema, follow)
  const target = targetOf(match, { model, resource })
  const labelled = (label, item, more = {}) => labelledInput(prefix, label, item, more)
  if (list.maxItems !== 2) {
    const several = { type: 'array', items: item }
    const one = item.enum && list.items ? several : { maxLength: 200, ...item }
    const { element, read } = labelled('Value', one, { target, placeholder })
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

function labelledInput(prefix, label, item, { placeholder, ...more } = {}) {
  const input = inputOf(item, { isRequired: true, id: `${prefix}-filter-value-${label}`, ...more })
  const element = input.element.querySelector('.holder > input') ?? input.element
  element.setAttribute('aria-label', label)
  if (placeholder) element.placeholder = placeholder
  return input
}

function comparedValue({ schema }, { model, prefix }) {
  const item = { maxLength: 200, ...matchSchema(schema, model.follow) }
  const { element, read } = labelledInput(prefix, 'Value', item)
  return { word: '', elements: element, read: () => textOf(read()) }
}

const textOf = (value) => (value == null || String(value) === '' ? null : String(value))

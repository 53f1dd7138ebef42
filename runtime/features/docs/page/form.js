import { formatOf, own, readable, typeWords, whole } from './document.js'
import { badge, choice, h } from './dom.js'
import { recordPicker } from './picker.js'

/**
 * An input for a value of a schema: `read()` answers the value, or undefined where nothing was
 * said. With a `target`, an id is chosen among its records.
 */
export function inputOf(schema, { value, isRequired = false, target = null, id } = {}) {
  const kinds = [schema.type ?? []].flat()
  const isNullable = kinds.includes('null') || (schema.enum ?? []).includes(null)
  const asked = { schema, value, isNullable, isRequired, id }
  if (target) return recordInput(asked, target)
  if (kinds.includes('object')) return jsonInput(asked)
  const options = schema.enum?.filter((each) => each !== null)
  if (options) return optionInput(asked, options)
  if (kinds.includes('boolean')) return optionInput(asked, [true, false])
  if (schema.format === 'date-time') return timeInput(asked)
  if (schema.format === 'date') return textInput(asked, { type: 'date' })
  if (kinds.includes('array')) return schema.items?.enum ? listInput(asked) : manyInput(asked)
  if (kinds.includes('integer') || kinds.includes('number')) return numberInput(asked, kinds)
  if (kinds.includes('string')) return textInput(asked, textKind(schema))
  return jsonInput(asked)
}

function textKind(schema) {
  const { input } = formatOf(schema)
  if (input !== undefined) return input
  const { maxLength } = schema
  return maxLength === undefined || maxLength > 255 ? { isLong: true } : { type: 'text' }
}

/** An empty input: NULL where that is allowed, else nothing. */
const nothing = ({ isNullable, value }) => (isNullable && value !== undefined ? null : undefined)

const basics = ({ id, value, isRequired, schema: { 'x-placeholder': placeholder } }) => ({
  id,
  value: value ?? '',
  required: isRequired,
  placeholder,
})

function textInput(asked, { isLong = false, ...properties }) {
  const { schema, value, isRequired } = asked
  const { format, maxLength, minLength, pattern } = schema
  // Not blank: no form.
  const hasForm = format || (pattern && pattern !== '\\S')
  const takesEmpty = isRequired && !hasForm && !minLength
  const shared = { ...basics(asked), maxlength: maxLength }
  if (takesEmpty) shared.required = false
  const isText = String(value).includes('\n') || (isLong && !hasForm)
  const element = isText
    ? h('textarea', { ...shared, rows: 3 })
    : h('input', { type: 'text', ...shared, ...properties })
  const read = () => {
    if (element.value !== '') return element.value
    if (asked.isNullable) return nothing(asked)
    return takesEmpty || value !== undefined ? '' : undefined
  }
  return { element, read }
}

function numberInput(asked, kinds) {
  const { minimum: min, maximum: max } = asked.schema
  const step = kinds.includes('integer') ? 1 : 'any'
  const element = h('input', { type: 'number', ...basics(asked), min, max, step })
  const read = () => {
    const text = element.value
    // A number would lose digits.
    if (kinds.includes('string') && text.replaceAll(/\D/g, '').length > 15) return text
    return text === '' ? nothing(asked) : Number(text)
  }
  return { element, read }
}

/** In UTC, as the API has them; untouched, it stays to the millisecond. */
function timeInput(asked) {
  const { value } = asked
  const shown = value?.replace(/Z$/, '').slice(0, 19)
  const common = basics({ ...asked, value: shown })
  const element = h('input', { type: 'datetime-local', step: 1, ...common })
  const before = element.value
  const read = () => {
    if (element.value === '') return nothing(asked)
    if (element.value === before) return value
    return new Date(`${element.value}Z`).toISOString()
  }
  return { element, read }
}

function optionInput(asked, options) {
  const { value, id, isNullable, isRequired } = asked
  const none = isRequired ? [] : [['', isNullable ? 'empty' : 'not said']]
  const texts = options.map((each) => [
    String(each),
    each === true ? 'yes' : each === false ? 'no' : String(each),
  ])
  const element = choice([...none, ...texts], value == null ? '' : String(value), { id })
  const read = () => {
    const found = options.find((each) => String(each) === element.value)
    return found === undefined ? nothing(asked) : found
  }
  return { element, read }
}

function listInput({ schema, value, id }) {
  const boxes = schema.items.enum.map((each) => {
    const checked = (value ?? []).includes(each)
    const box = h('input', { type: 'checkbox', value: String(each), checked })
    return { each, box }
  })
  let isTouched = value !== undefined
  const element = h(
    'div.row.wrap',
    { id, role: 'group', onchange: () => (isTouched = true) },
    boxes.map(({ each, box }) => h('label.check', box, String(each))),
  )
  const read = () =>
    isTouched ? boxes.filter(({ box }) => box.checked).map(({ each }) => each) : undefined
  return { element, read }
}

/** Ids, `1,2`; none are a list where that may be. */
function manyInput(asked) {
  const { element } = textInput(asked, { placeholder: '1,2' })
  const read = () => {
    const list = element.value.split(',').flatMap((each) => each.trim() || [])
    return list.length > 0 || !asked.schema.minItems ? list : undefined
  }
  return { element, read }
}

function jsonInput(asked) {
  const { value, id } = asked
  const text = value == null ? '' : JSON.stringify(value, null, 2)
  const about = { rows: 3, spellcheck: 'false', placeholder: 'JSON' }
  const element = h('textarea.mono', { id, value: text, ...about })
  const read = () => {
    if (element.value.trim() === '') return nothing(asked)
    try {
      return JSON.parse(element.value)
    } catch {
      // Ids may be sent as text or number; what is no JSON is sent as it is written.
      return element.value
    }
  }
  return { element, read }
}

/** The id of a record; one that was not chosen is sent as it is written. */
function recordInput(asked, target) {
  const { element, read } = recordPicker(asked, target)
  return { element, read: () => read() || nothing(asked) }
}

/** The fields of a form, with a place for what is wrong with each. */
export function fieldsForm(fields, { values = {}, model, prefix }) {
  const made = fields.map(({ name, input, isRequired = false, target }) => {
    const id = `${prefix}-${name}`
    const schema = readable(input, model.follow)
    const among = model.byKey.get(target)
    const part = inputOf(schema, { value: own(values, name), isRequired, target: among, id })
    const error = h('span.error', { id: `${id}-error` })
    const about = h(
      'span.quiet.about',
      target ? `one of ${target}` : typeWords(schema, model.follow),
    )
    const mark = isRequired ? badge('required', 'warm') : null
    const label = h('label.label', { for: id, title: name }, schema.title ?? name, ' ', mark)
    const element = h('div.field', label, part.element, about, error)
    return { name, element, error, read: part.read, id }
  })
  return {
    elements: made.map(({ element }) => element),
    read: () =>
      Object.fromEntries(
        made.map(({ name, read }) => [name, read()]).filter(([, value]) => value !== undefined),
      ),
    /** Shows errors beside their fields; answers those of no field. */
    showErrors(errors = {}) {
      const rest = { ...errors }
      for (const { name, error, id } of made) {
        const texts = own(rest, name) ?? []
        delete rest[name]
        error.textContent = texts.join(' ')
        const input = document.getElementById(id)
        input?.setAttribute('aria-describedby', `${id}-error`)
        input?.setAttribute('aria-invalid', String(texts.length > 0))
      }
      const first = made.find(({ name }) => own(errors, name) !== undefined)
      if (first !== undefined) document.getElementById(first.id)?.focus()
      return Object.entries(rest).map(([name, texts]) => `${name}: ${texts.join(' ')}`)
    },
  }
}

/** Lists the fields of an operation's body; for ids, with their repository. */
export function bodyFields(operation, resource, follow) {
  const targets = new Map(resource?.fields.map(({ name, target }) => [name, target]))
  const { properties = {}, required = [] } = whole(operation.body ?? {}, follow)
  return Object.entries(properties).map(([name, input]) => {
    return { name, input, isRequired: required.includes(name), target: targets.get(name) ?? null }
  })
}

import { formatOf, own, titleOf } from './document.js'
import { badge, h, link, method } from './dom.js'
import { address, problem } from './http.js'

export function failed(answer) {
  const link = answer.status === 401 ? h('a.button', { href: '#/sign-in' }, 'Sign in') : null
  return h('div.notice.row.wrap.between', { role: 'alert' }, h('p', problem(answer)), link)
}

/** A value as people read it. */
export function shown(value, schema = {}) {
  if (value == null) return h('span.quiet', '—')
  if (value === true || value === false) return badge(value ? 'yes' : 'no', value ? 'good' : '')
  if (schema.format === 'date-time')
    return h('time', { datetime: value, title: value }, moment(value))
  const href = formatOf(schema).href?.(value) ?? null
  if (href !== null) return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, value)
  if (typeof value === 'object') return h('code', JSON.stringify(value))
  return String(value)
}

/** `2026-01-31 14:05`, in UTC as the API has it. */
const moment = (value) => String(value).replace('T', ' ').slice(0, 16)

/** A field of a record; the id of another one is a link to it, by its name where that is known. */
export function cell({ name, schema, target }, record, resource, model) {
  const value = own(record.attributes, name)
  const relation = resource.relations.find(({ column }) => column === name)
  const related = relation === undefined ? null : own(record.relationships, relation.name)
  const key = related?.type ?? target
  if (value == null || !model.byKey.has(key)) return shown(value, schema)
  const text = related ? titleOf(model.byKey.get(key), related) : value
  return link(`#/data/${key}/${encodeURIComponent(value)}`, text)
}

/** Returns the cost of an answer: milliseconds here, statements and their time on the server. */
export function cost({ ms, statements, databaseMs, status }) {
  const parts = [
    `${Math.round(ms)} ms`,
    statements,
    databaseMs === null ? null : `${databaseMs} ms in the database`,
  ]
  return h('span.cost', { 'data-status': status }, parts.filter((part) => part).join(' · '))
}

/** The request that was sent, which leads to Try with the same parameters. */
export function requestLine(verb, path, operation, query) {
  const text = [method(verb), h('code', path)]
  return h(
    'a.request',
    { href: `#${address(`/try/${operation.id}`, query)}`, title: 'Open in Try' },
    text,
  )
}

import type { JsonValue } from '../manifest/field-types.js'

/** Printable ASCII but for quotes and the backslash: nearly every name, of which a plan asks many thousands. */
const isPlain = /^[ !#-&(-[\]-~]*$/

/** A single-quoted TypeScript string. */
export function literal(text: string): string {
  if (isPlain.test(text)) return `'${text}'`
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

/** A key of an object or interface: bare when it may be. */
export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

/** A value of the manifest as a TypeScript expression. */
export function valueOf(value: JsonValue): string {
  if (typeof value === 'string') return literal(value)
  if (value === null || typeof value !== 'object') return String(value)
  if (isList(value)) return `[${value.map(valueOf).join(', ')}]`
  const entries = Object.entries(value).map(([key, inner]) => `${property(key)}: ${valueOf(inner)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

// `Array.isArray` alone does not narrow a readonly list.
const isList = (value: object): value is readonly JsonValue[] => Array.isArray(value)

import type { Json } from '../../../blueprint/types.js'
import type { Data } from '../facts.js'
import { isData } from '../own.js'

/** A part of a document, and where it is: a JSON pointer. */
export interface Part {
  readonly value: Json
  readonly at: string
  readonly document: Data
}

export const whole = (document: Data): Part => ({ value: document, at: '#', document })

export const dataOf = ({ value }: Part): Data => (isData(value) ? value : {})

/** The part under a key, behind its references; null: there is none. */
export function inner(part: Part, key: string): Part | null {
  const data = dataOf(part)
  const value = Object.hasOwn(data, key) ? data[key] : undefined
  return value === undefined ? null : referred(child(part, key, value))
}

/** All parts of an object, by their keys. */
export const innerParts = (part: Part): readonly (readonly [key: string, part: Part])[] =>
  Object.entries(dataOf(part)).map(([key, value]) => [key, referred(child(part, key, value))])

/** The elements of a list. */
export function listed(part: Part | null): readonly Part[] {
  if (part === null || !Array.isArray(part.value)) return []
  const values = part.value as readonly Json[]
  return values.map((value, at) => referred(child(part, String(at), value)))
}

export const child = (part: Part, key: string, value: Json): Part => {
  const at = `${part.at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return { ...part, value, at }
}

/**
 * Follows a reference. A schema's reference may have members beside it, and is followed where
 * schemas are read.
 */
function referred(part: Part): Part {
  const data = dataOf(part)
  const isAlone = Object.keys(data).every((key) => isReference.has(key))
  return isAlone ? (target(part) ?? part) : part
}

const isReference = new Set(['$ref', 'summary', 'description'])

/**
 * Follows `$ref` in the same document; null: there is no target, or a circle, or it is elsewhere.
 */
export function target(part: Part, seen: readonly string[] = []): Part | null {
  const { $ref: ref } = dataOf(part)
  if (typeof ref !== 'string' || !ref.startsWith('#/') || seen.includes(ref)) return null
  const keys = ref.slice(2).split('/').map(unescaped)
  let found: Part = whole(part.document)
  for (const key of keys) {
    const value = (found.value as Data | null)?.[key]
    if (value === undefined) return null
    found = child(found, key, value)
  }
  return target(found, [...seen, ref]) ?? found
}

const unescaped = (key: string) =>
  decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')

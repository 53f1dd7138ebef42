import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../model/get-own.js'
import { badParameter } from '../../query/query.js'

/** One of those that a request asks for. */
export interface AskedFilter {
  readonly key: string
  readonly value: unknown
}

/** The number of filters of one request; each may be a statement's EXISTS. */
const mostFilters = 20
/** Longer than an address can be. */
const mostCharacters = 16_000
/** The bytes of JSON whose base64 has no more characters. */
const mostBytes = 12_000

export const example = '[{ "key": "…", "value": … }]'

/**
 * Reads `filters=<base64 of [{ "key": "ready", "value": true }]>`, with `+/` or `-_`, padded or not.
 * 400 says what is wrong.
 */
export function readFilters(text: string): readonly AskedFilter[] {
  if (text.trim() === '') return []
  const json = decoded(text)
  if (json === null) throw badFilters(`must be base64 of ${example} in UTF-8`)
  const said = parsed(json)
  if (!Array.isArray(said) || !said.every(isAsked)) {
    throw badFilters(`must be base64 of a list ${example}`)
  }
  if (said.length > mostFilters) throw badFilters(`must name at most ${mostFilters} filters`)
  return said
}

/**
 * What a body has as JSON, `[{ "key": "ready", "value": true }]` or one of them, as the text that an
 * address has. Null: it is such a text.
 */
export function filtersTextOf(value: unknown): string | null {
  if (value === null) return ''
  if (typeof value !== 'object') return null
  const said: unknown = isAsked(value) ? [value] : value
  const isList = Array.isArray(said)
  if (isList && said.length > 0 && said.every((each) => typeof each === 'string')) return null
  if (!isList || !said.every(isAsked)) {
    throw badFilters(`must be a list ${example}, or base64 of one`)
  }
  const json = Buffer.from(JSON.stringify(said))
  if (json.length <= mostBytes) return json.toString('base64')
  throw badFilters(`must not have more than ${mostBytes} bytes`)
}

export const badFilters = (problem: string) => badParameter('filters', problem)

function decoded(text: string): string | null {
  // An address that was not encoded has blanks where a plus was.
  const base64 = text.replaceAll(' ', '+')
  if (base64.length > mostCharacters || !/^[\w+/-]*={0,2}$/.test(base64)) return null
  const bytes = Buffer.from(base64, 'base64')
  return isUtf8(bytes) ? bytes.toString() : null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw badFilters(`must be base64 of JSON ${example}`)
  }
}

const isAsked = (each: unknown): each is AskedFilter =>
  isRecord(each) &&
  Object.keys(each).every((name) => name === 'key' || name === 'value') &&
  Object.hasOwn(each, 'value') &&
  typeof each['key'] === 'string'

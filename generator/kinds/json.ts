import { json as stored } from '../../runtime/kinds/json.js'
import { noDigits } from '../../runtime/kinds/kind.js'
import type { JsonValue } from '../manifest/field-types.js'
import type { ColumnFacts, Kind, Schema } from './kind.js'
import { valueOf } from './literal.js'
import { replacing } from './rule.js'
import { count } from './text/text.js'

/** Code can hold what no text of JSON can: dates, functions, and objects that hold themselves. */
function isPlain(value: unknown, depth: number): value is JsonValue {
  if (depth > 100) return false
  if (value === null || /^(boolean|number|string)$/.test(typeof value)) return true
  if (Array.isArray(value)) return value.every((part) => isPlain(part, depth + 1))
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every((part) => isPlain(part, depth + 1))
}

/** JSON that code says, as a request may send it. */
export const readJson = (written: unknown): JsonValue | undefined =>
  isPlain(written, 0) && stored.fromJson(written, noDigits) !== undefined ? written : undefined

/** The schema of all JSON that a body may send: `jsonInBody` of the document. */
export const jsonReference = { $ref: '#/components/schemas/Json' }

/** Anything, or anything but null: as in `jsonInBody`, a schema for each. */
const shown = ({ nullable }: ColumnFacts): Schema => (nullable ? {} : { anyOf: [...notNull] })

const notNull: readonly Schema[] = [
  { type: 'object', additionalProperties: true },
  { type: 'array', items: {} },
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
]

const sent = ({ nullable }: ColumnFacts): Schema =>
  nullable ? jsonReference : { allOf: [jsonReference, { not: { type: 'null' } }] }

const usual: readonly JsonValue[] = [
  {},
  [],
  { list: [1e-7, "it's", null, [[]], false], '': { nested: { '😀': '"\\' } } },
]

export const json: Kind<'json', 'json'> = {
  name: 'json',
  storage: 'json',
  group: 'json',
  takes: null,
  isText: false,
  isSortable: false,
  match: [],
  bound: count,
  usualMax: null,
  longest: 1_000_000,
  isIndexable: () => false,
  preset: { says: 'JSON', example: '.default({})', read: readJson },
  typescript: 'unknown',
  graphql: 'JSON',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'string',
  prisma: {
    type: 'Json',
    native: null,
    // On SQLite Prisma would write it without quotes.
    preset: (value, _, database) =>
      database === 'sqlite' ? { sql: JSON.stringify(value) } : { text: JSON.stringify(value) },
  },
  key: null,
  rule: { name: 'json', file: 'json-rule', given: replacing },
  document: {
    shown,
    sent,
    parameter: () => ({ name: 'text', schema: { type: 'string' } }),
  },
  existing: { types: ['json', 'jsonb'], preset: () => undefined },
  told: null,
  sample: () => ({}),
  row: null,
  varied: null,
  edges: {
    usual: { name: 'documents', values: usual },
    of: ({ max = Infinity }) =>
      usual.filter((value) => JSON.stringify(value).length <= max).map(valueOf),
  },
  seed: () => '{}',
}

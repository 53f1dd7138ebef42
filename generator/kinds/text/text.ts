import { integer } from '../../../runtime/kinds/integer.js'
import { noDigits } from '../../../runtime/kinds/kind.js'
import { notWhiteSpace, text as stored } from '../../../runtime/kinds/text.js'
import { isShortOrUnsaid } from '../index-length.js'
import type { Bound, ColumnFacts, Kind, Preset } from '../kind.js'
import { literal } from '../literal.js'
import { usualRule } from '../rule.js'
import { bounds, texts } from '../schema.js'

/** A bound that counts: characters, and items of a list. */
export const count: Bound = {
  says: 'a whole number from 0',
  holds: (value) => integer.fromJson(value, noDigits) !== undefined && value >= 0,
}

export const textPreset: Preset = {
  says: 'a text without NUL',
  example: ".default('…')",
  read: (written) => asText(stored.fromJson(written, noDigits)),
}

export const asText = (read: unknown): string | undefined =>
  typeof read === 'string' ? read : undefined

/** UTF-16 units of `awkward` in runtime/testing/values/edges.ts, and the most that a test writes into one field. */
const awkwardLength = 17
const mostInTests = 10_000

function edges({ min = 0, max = mostInTests, notBlank }: ColumnFacts): readonly string[] {
  return [
    ...(min === 0 && notBlank !== true ? ["''"] : []),
    ...(min <= awkwardLength && awkwardLength < max ? ['awkward'] : []),
    `long(${Math.max(min, Math.min(max, mostInTests))})`,
  ]
}

/** A default that a manifest would not want to quote is left to the database. */
const isShortLine = (word: string) => word.length <= 200 && !/[\r\n]/.test(word)

export function sampleText({ name, min = 0, max = Infinity }: ColumnFacts): string {
  const words = name.replaceAll('_', ' ')
  const sample = words.charAt(0).toUpperCase() + words.slice(1)
  return sample.padEnd(min, '.').slice(0, max)
}

/** Text in a body, of at most so many characters unless the field says otherwise. */
export const sentText =
  (longest?: number) =>
  ({ nullable, min, max = longest, notBlank }: ColumnFacts) => ({
    ...texts({ nullable, name: '' }),
    ...bounds('minLength', notBlank === true ? Math.max(min ?? 1, 1) : min, 'maxLength', max),
    ...(notBlank === true ? { pattern: notWhiteSpace.source } : {}),
  })

export const text: Kind<'text', 'text'> = {
  name: 'text',
  storage: 'text',
  group: 'text',
  takes: null,
  isText: true,
  isSortable: true,
  match: ['text', 'partial', 'array'],
  bound: count,
  usualMax: 255,
  longest: null,
  isIndexable: isShortOrUnsaid,
  preset: textPreset,
  typescript: 'string',
  graphql: 'String',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'string',
  prisma: {
    type: 'String',
    native: null,
    preset: (value) => ({ text: String(value) }),
  },
  key: {
    word: 'text',
    prisma: '@default(ulid())',
    shown: { minLength: 1 },
    reference: (nullable) => ({ ...texts({ name: '', nullable }), minLength: 1 }),
    made: 'randomUUID()',
    sample: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    morph: null,
  },
  rule: usualRule('text'),
  document: {
    shown: texts,
    sent: sentText(),
    parameter: () => ({ name: 'text', schema: { type: 'string' } }),
  },
  existing: {
    types: [],
    preset: ({ word }) => (word !== undefined && isShortLine(word) ? literal(word) : undefined),
  },
  told: null,
  sample: sampleText,
  row: null,
  varied: ({ name, max = Infinity }) =>
    max < name.length + 13 ? `unique('').slice(0, ${max})` : `unique(${literal(name)})`,
  edges: { usual: null, of: edges },
  seed: ({ name }) => (name === 'name' ? "'Ada Lovelace'" : "'Example'"),
}

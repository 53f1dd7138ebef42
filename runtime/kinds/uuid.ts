import { type Decode, like } from './kind.js'
import { text } from './text.js'

/** Digits of its parts, with a hyphen between two. */
export const uuidParts = [8, 4, 4, 4, 12]

/** A UUID whose digits are written as this pattern has one. */
export const uuidPattern = (digit: string): string =>
  `^${uuidParts.map((length) => `${digit}{${length}}`).join('-')}$`

const pattern = new RegExp(uuidPattern('[\\da-f]'), 'i')

const read = (value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value.toLowerCase() : undefined

/** Its form alone: keys are read by the thousand. */
const fromSqlite: Decode = (stored) =>
  typeof stored === 'string' && stored.length === 36 && hyphens.every((at) => stored[at] === '-')
    ? stored
    : undefined
const hyphens = [8, 13, 18, 23]

export const uuid = like(text, {
  name: 'uuid',
  says: () => 'a UUID',
  fromText: read,
  fromJson: read,
  fromCode: read,
  key: { fromText: read, makes: 'uuid', compare: (one, other) => (one < other ? -1 : 1) },
  searched: 'key',
  type: 'uuid',
  decode: { sqlite: () => fromSqlite, postgresql: null },
  isText: false,
  isPlain: false,
})

import { integer } from './integer.js'
import { type Decode, like, never } from './kind.js'

const words: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** As SQLite has it: any number but 0 is true. */
const decode: Decode = (stored) => (typeof stored === 'number' ? stored !== 0 : undefined)

export const boolean = like(integer, {
  name: 'boolean',
  says: () => 'true or false',
  fromText: (text) => words.get(text),
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
  key: null,
  searched: 'part',
  type: 'bool',
  encode: {
    sqlite: (value) => (value === true ? 1 : 0),
    postgresql: (value) => (value === true ? 'true' : 'false'),
  },
  decode: { sqlite: () => decode, postgresql: null },
  declared: ['BOOLEAN'],
  isTooFine: never,
})

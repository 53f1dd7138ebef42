import type { Bound, ColumnFacts, Schema, Told } from '../kind.js'
import { like } from '../kind.js'
import { literal, valueOf } from '../literal.js'
import { bounded } from '../rule.js'
import { texts } from '../schema.js'
import { all } from '../sql.js'
import { asText, text, textPreset } from './text.js'

/** Characters of the number, its `+` among them. */
const phoneLengths = { min: 8, max: 16 } as const

// As its rule in `runtime/input/phone-rule.ts` has them.
const mark = '[\\s().\\[\\]\\u2010-\\u2015-]'
const number = /^\+[1-9]\d{6,14}$/

const lengthsOf = ({ min = phoneLengths.min, max = phoneLengths.max }: ColumnFacts) =>
  [min, max] as const

const told: Told = {
  // Characters that people write numbers with, and that a database of any encoding has.
  drops: ' -.()[]',
  lengths: ({ min = 0, max = Infinity }) => [
    Math.max(min, phoneLengths.min),
    Math.min(max, phoneLengths.max),
  ],
  pattern: '^\\+[1-9][0-9]{6,14}$',
  sqlite: (text) => all(`${text} GLOB '+[1-9]*'`, `${text} NOT GLOB '+*[^0-9]*'`),
  samples: {
    values: ['+393331234567', '+1234567', '+123456789012345', '+12345678'],
    others: [
      '+123456',
      '+1234567890123456',
      '+0393331234567',
      '00393331234567',
      '++393331234567',
      '+39333x1234567',
    ],
  },
}

const bound: Bound = {
  says: 'a whole number from 8 to 16, the + included',
  holds: (value) =>
    Number.isInteger(value) && phoneLengths.min <= value && value <= phoneLengths.max,
}

/** A number may be sent with marks anywhere, so its length means nothing. */
function sent(column: ColumnFacts): Schema {
  const [min, max] = lengthsOf(column)
  const digit = `${mark}*\\d`
  const pattern = `^${mark}*\\+${mark}*[1-9](${digit}){${min - 2},${max - 2}}${mark}*$`
  return { ...shown(column), pattern }
}

const shown = (column: ColumnFacts): Schema => ({ ...texts(column), format: 'phone' })

/** A number that is as long as it must be. */
function fitted(start: string, column: ColumnFacts): string {
  const [min, max] = lengthsOf(column)
  return start.padEnd(min, '0').slice(0, max)
}

const sample = (column: ColumnFacts) => fitted('+393331234567', column)

function edges(column: ColumnFacts): readonly string[] {
  const [min, max] = lengthsOf(column)
  return ['+1'.padEnd(min, '0'), '+9'.padEnd(max, '9')].map(valueOf)
}

/** Digits behind `+1`: `randomInt` takes a range of 48 bits, which 15 are more than. */
function varied(column: ColumnFacts): string {
  const [min, max] = lengthsOf(column)
  const behind = Math.max(min, Math.min(max, 12)) - 2
  return `\`+1\${randomInt(${10 ** (behind - 1)}, ${10 ** behind})}\``
}

export const phone = like(text, {
  name: 'phone',
  group: 'told',
  told,
  bound,
  usualMax: null,
  isIndexable: () => true,
  preset: {
    says: 'an international phone number',
    example: ".default('+393331234567')",
    read: (written) => {
      const read = asText(textPreset.read(written))?.replaceAll(new RegExp(mark, 'g'), '')
      return read !== undefined && number.test(read) ? read : undefined
    },
  },
  rule: { name: 'phone', file: 'phone-rule', given: bounded },
  document: { ...text.document, shown, sent },
  sample,
  varied,
  edges: { usual: null, of: edges },
  seed: (column) => literal(sample(column)),
})

import { isShort } from '../index-length.js'
import { like, type ColumnFacts, type Kind, type Told } from '../kind.js'
import { literal, valueOf } from '../literal.js'
import { patterned } from '../rule.js'
import { bounds, texts } from '../schema.js'
import { asText, text, textPreset } from './text.js'

/**
 * A kind of text that one pattern tells, wherever values come from: requests, the manifest, rows of another kind. They are kept
 * as they are sent.
 */
interface Form<Name extends string> extends Pick<Told, 'pattern' | 'sqlite'> {
  readonly name: Name
  /** Describes a value: after "must be" for clients, after "takes" for authors of a manifest. */
  readonly says: string
  /** Characters of a value, at least and at most; a field may say others between them, where there is a `filler`. */
  readonly lengths: readonly [number, number]
  /** A letter that is a value itself, however often it is repeated, and may follow each; null: no field says `.min()` or `.max()`. */
  readonly filler: string | null
  /** The first value is the example. No two begin alike but for signs, by which not every database sorts. */
  readonly samples: Told['samples']
  /** TypeScript of a value that is another one each time. */
  readonly varied: (column: ColumnFacts) => string
}

export function formed<const Name extends string>(form: Form<Name>): Kind<Name, 'told'> {
  const { name, says, lengths, filler, samples, pattern, sqlite, varied } = form
  const [shortest, longest] = lengths
  const isOne = new RegExp(pattern)
  const isBounded = filler !== null
  const lengthsIn: Told['lengths'] = ({ min = shortest, max = longest }) =>
    isBounded ? [Math.max(min, shortest), Math.min(max, longest)] : lengths

  /** Without a first value that is too long, one of the filler. */
  function fitted(column: ColumnFacts): string {
    const [min, max] = lengthsIn(column)
    const [first = ''] = samples.values.filter((value) => value.length <= max)
    return first.padEnd(min, filler ?? '')
  }

  function edges(column: ColumnFacts): readonly string[] {
    const [min, max] = lengthsIn(column)
    const known = samples.values.filter(({ length }) => min <= length && length <= max)
    const all = filler === null ? known : [...known, filler.repeat(max)]
    return all.toSorted((one, other) => (one < other ? -1 : 1)).map(valueOf)
  }

  return like(text, {
    name,
    group: 'told',
    usualMax: isBounded ? longest : null,
    isIndexable: (max = longest) => isShort(max),
    ...(isBounded ? { bound: boundWithin(lengths) } : {}),
    preset: {
      says,
      example: `.default(${literal(samples.values[0] ?? '')})`,
      read: (written) => {
        const read = asText(textPreset.read(written))
        return read !== undefined && isOne.test(read) ? read : undefined
      },
    },
    rule: { name: 'formed', file: 'formed-rule', given: patterned(isOne, `must be ${says}`) },
    document: {
      ...text.document,
      sent: (column) => ({
        ...texts(column),
        pattern,
        ...(isBounded ? bounds('minLength', column.min, 'maxLength', column.max) : {}),
      }),
    },
    told: { drops: '', lengths: lengthsIn, pattern, sqlite, samples },
    sample: fitted,
    varied,
    edges: { usual: null, of: edges },
    seed: (column) => literal(fitted(column)),
  })
}

const boundWithin = ([shortest, longest]: readonly [number, number]): Kind['bound'] => ({
  says: `a whole number from ${shortest} to ${longest}`,
  holds: (value) => Number.isInteger(value) && shortest <= value && value <= longest,
})

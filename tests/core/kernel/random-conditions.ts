/** Random conditions on notes, and random notes, of values that meet. */
import fc from 'fast-check'
import { all, any, not } from '../../../runtime/policy/condition.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import type { NoteModel } from './models.js'

export const ids = Array.from(
  { length: 8 },
  (_, i) => `00000000-0000-7000-8000-00000000000${String(i)}`,
)

const texts = ['', 'a', 'A', 'ab', 'b%', 'a_b', 'a*b', '[a]', '\\', '😀', '', 'é', 'null']
const values = {
  text: texts,
  price: ['-1.50', '0.00', '0.50', '9.99', '10.00', '99999999.99'],
  ratio: [-1.5, 0, 0.1, 2, 1e20],
  day: ['2024-02-29', '2026-01-01', '1999-12-31'],
  rank: [-5, 0, 1, 2, 2147483647],
  is_open: [true, false],
  due_at: ['2026-02-03T04:05:06.789Z', '2026-02-03T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  id: ids,
} as const

type Name = keyof typeof values

/** Values to compare a column of integers with: no row can have the others. */
const compared = { ...values, rank: [...values.rank, 0.5, -2.5, 2147483648, -1e12] }

const ordered = ['equals', 'not', 'lt', 'lte', 'gt', 'gte']

function test_(name: Name): fc.Arbitrary<unknown> {
  const value = fc.constantFrom<unknown>(...compared[name])
  const list = fc.array(fc.oneof({ weight: 5, arbitrary: value }, fc.constant(undefined)), {
    maxLength: 3,
  })
  const plain = name === 'is_open' || name === 'id' ? ['equals', 'not'] : ordered
  const operators = [
    ...plain.map((operator) =>
      fc.record({ [operator]: fc.oneof({ weight: 6, arbitrary: value }, fc.constant(undefined)) }),
    ),
    fc.record({ in: list }),
    fc.record({ notIn: list }),
    fc.constant(null),
    fc.constantFrom({ equals: null }, { not: null }, { in: [null] }, { notIn: [null] }),
    fc.record({ isNull: fc.constantFrom(true, false, undefined, null) }),
    fc.constant(undefined),
    value,
  ]
  const textual = ['contains', 'startsWith', 'endsWith'].map((operator) =>
    fc.record({ [operator]: value }),
  )
  return fc.oneof(...operators, ...(name === 'text' ? textual : []))
}

const names = Object.keys(values) as Name[]
const columns = fc.oneof(...names.map((name) => fc.record({ [name]: test_(name) })))
/** Conditions on the columns of notes. */
export const condition: fc.Arbitrary<boolean | Condition<NoteModel>> = fc.letrec<{
  condition: boolean | Condition<NoteModel>
}>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    columns as fc.Arbitrary<Condition<NoteModel>>,
    fc.tuple(columns, columns).map((pair) => Object.assign({}, ...pair) as Condition<NoteModel>),
    fc.boolean(),
    // Values of a policy when something is missing.
    fc.constantFrom<unknown>(undefined, null, {}, 0, '') as fc.Arbitrary<never>,
    fc.array(tie('condition'), { maxLength: 3 }).map((parts) => any<NoteModel>(...parts)),
    fc.array(tie('condition'), { maxLength: 3 }).map((parts) => all<NoteModel>(...parts)),
    tie('condition').map((part) => not<NoteModel>(part)),
  ),
})).condition

const cell = (name: Name) => fc.option(fc.constantFrom<unknown>(...values[name]), { freq: 4 })
/** A note's columns. */
export const note = fc.record({
  text: fc.constantFrom(...texts),
  price: cell('price'),
  ratio: cell('ratio'),
  day: cell('day'),
  rank: cell('rank'),
  is_open: cell('is_open'),
  due_at: cell('due_at'),
})

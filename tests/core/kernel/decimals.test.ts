/** Decimals are compared and ordered exactly: of 15 digits on SQLite, of any length on PostgreSQL. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import type { One } from '../../../runtime/features/relations/relation-types.js'
import { belongsTo, related } from '../../../runtime/features/relations/relations.js'
import { decimal } from '../../../runtime/input/decimal-rule.js'
import { reference } from '../../../runtime/input/id-rules.js'
import { compareDecimals, decimalText } from '../../../runtime/kinds/decimal.js'
import type { StorageKind } from '../../../runtime/model/columns.js'
import { defineRepository, type Repository } from '../../../runtime/operations/repository.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import { matching } from '../../../runtime/query/match.js'
import { runsOn } from '../../support/runs.js'
import { defaultSettings, yes } from './blog.js'
import { holds } from './condition-oracle.js'
import { dialects, execute, openDatabase } from './databases.js'

interface Entry {
  id: number
  amount: string | null
  of_id: number | null
}

interface EntryModel {
  row: Entry
  relations: { of: One<EntryModel> }
  computed: Record<never, never>
}

const short = [
  [10, 2],
  [15, 2],
  [15, 15],
  [15, 0],
] as const
const long = [
  [18, 6],
  [38, 12],
  [36, 0],
  [100, 60],
] as const

function decimals(precision: number, scale: number): fc.Arbitrary<string> {
  const digits = (length: number) =>
    fc
      .stringMatching(new RegExp(`^[0-9]{0,${String(length)}}$`))
      .map((text) => text.slice(0, length))
  const near = fc.constantFrom(
    '0',
    '1',
    '9'.repeat(precision - scale),
    '1'.padEnd(precision - scale, '0'),
  )
  return fc
    .tuple(fc.boolean(), fc.oneof(near, digits(precision - scale)), digits(scale))
    .map(([isNegative, whole, fraction]) => {
      const text = `${isNegative ? '-' : ''}${whole === '' ? '0' : whole}${scale === 0 ? '' : `.${fraction}`}`
      return decimalText(text, { precision, scale }) ?? decimalText('0', { precision, scale }) ?? ''
    })
}

describe.each(dialects)('decimals on %s', (dialect) => {
  const shapes = dialect === 'sqlite' ? short : [...short, ...long]
  const tableOf = (precision: number, scale: number) =>
    `entries_${String(precision)}_${String(scale)}`
  let database: Database

  beforeAll(async () => {
    database = await openDatabase(dialect)
    for (const [precision, scale] of shapes) {
      const key = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'SERIAL PRIMARY KEY'
      const type = `DECIMAL(${String(precision)},${String(scale)})`
      const name = tableOf(precision, scale)
      await execute(
        database,
        `create table ${name} (id ${key}, amount ${type}, of_id INTEGER references ${name} (id))`,
      )
    }
  })
  afterAll(() => database.close())

  function entries(precision: number, scale: number, show: () => boolean | Condition<EntryModel>) {
    const storage = `decimal(${String(precision)},${String(scale)})?` as StorageKind
    const repository: Repository<Entry> = defineRepository<EntryModel>({
      database,
      settings: defaultSettings,
      key: 'entries',
      name: 'Entry',
      table: tableOf(precision, scale),
      policy: { show, store: yes, update: yes, delete: yes },
      columns: { id: 'integer', amount: storage, of_id: 'integer?' },
      attributes: ['amount', 'of_id'],
      rules: { amount: decimal(precision, scale).nullish(), of_id: reference('integer').nullish() },
      match: matching({ amount: 'between' }),
      sort: ['amount'],
      relations: related({
        of: belongsTo(() => repository, { foreignKey: 'of_id', sortable: ['amount'] }),
      }),
    })
    return repository
  }

  test.each(shapes)('decimal(%i, %i) are exact', async (precision, scale) => {
    let answer: boolean | Condition<EntryModel> = true
    const repository = entries(precision, scale, () => answer)
    const entity = repository.definition
    const value = decimals(precision, scale)
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 2, maxLength: 12 }),
        value,
        value,
        async (given, low, high) => {
          answer = true
          await execute(database, `update ${entity.table} set of_id = null`)
          await execute(database, `delete from ${entity.table}`)
          for (const amount of given) await repository.store(null, { amount })
          await repository.store(null, { amount: null })
          const ids = (await repository.index(null, { perPage: 100 })).data.map(({ id }) => id)
          for (const of_id of ids) await repository.store(null, { of_id })
          const amounts = async (query: Parameters<typeof repository.index>[1]) =>
            (await repository.index(null, { perPage: 100, ...query })).data.map(
              ({ attributes }) => attributes['amount'],
            )

          const ordered = given.toSorted(compareDecimals)
          const sorted = await amounts({ sort: [{ key: 'amount', descending: false }] })
          expect(sorted.slice(0, given.length)).toEqual(ordered)
          const down = await amounts({ sort: [{ key: 'amount', descending: true }] })
          expect(down.slice(0, given.length)).toEqual(ordered.toReversed())

          const through = await repository.index(null, {
            perPage: 100,
            sort: [{ key: 'of.amount', descending: false }],
            include: [{ key: 'of', columns: null, children: [] }],
          })
          const owners = through.data.map(
            ({ relationships }) => relationships?.['of'] as { attributes: Entry } | null,
          )
          expect(owners.slice(0, given.length).map((owner) => owner?.attributes.amount)).toEqual(
            ordered,
          )

          const within = ordered.filter(
            (one) => compareDecimals(one, low) >= 0 && compareDecimals(one, high) <= 0,
          )
          const between = await amounts({
            match: [{ column: 'amount', negated: false, text: `${low},${high}` }],
          })
          expect((between as string[]).toSorted(compareDecimals)).toEqual(within)

          for (const test_ of [
            { lt: low },
            { lte: low },
            { gt: low },
            { gte: low },
            { equals: low },
            { not: low },
            { in: [low, high] },
          ]) {
            answer = { amount: test_ }
            const found = ((await amounts({})) as string[]).toSorted(compareDecimals)
            expect([test_, found]).toEqual([
              test_,
              ordered.filter((amount) => holds(entity, answer, { amount }) === true),
            ])
          }
        },
      ),
      { numRuns: runsOn(dialect, 25) },
    )
  })
})

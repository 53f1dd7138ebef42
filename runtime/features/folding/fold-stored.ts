import { type RawBuilder, sql } from 'kysely'
import { arrayTypes, type Column } from '../../model/columns.js'
import { columnNamed, type Entity, entityOf } from '../../model/entity.js'
import { fold } from './fold.js'
import { type Prepared, prepare, run, slot } from '../../sql/statement-cache.js'
import type { AnyRepository } from '../../operations/repository.js'

/** Rows read and written at once. */
const batch = 1000

/**
 * Folds the texts of rows that have none folded: those of before the field was, and those that
 * others wrote. Runs at the start, beside other instances if need be: a text that changed meanwhile
 * is left to who changed it.
 */
export async function foldStored(
  repositories: readonly Pick<AnyRepository, 'definition'>[],
  log: (line: string) => void,
): Promise<void> {
  for (const { definition } of repositories) {
    const entity = entityOf(definition)
    for (const column of entity.columns.values()) {
      if (column.folded === null) continue
      const rows = await foldColumn(entity, column, columnNamed(entity, column.folded))
      if (rows > 0) log(`folded '${column.name}' of ${rows} rows of '${entity.table}' for search`)
    }
  }
}

async function foldColumn(entity: Entity, text: Column, folded: Column): Promise<number> {
  const { database } = entity
  const [first, next, write] = plansOf(entity, text, folded)
  let rows = await run(database, first, [])
  let count = 0
  while (rows.length > 0) {
    const given = rows.map(([id, value]) => [id, value, fold(String(value))])
    await run(database, write, [{ key: '', values: [given] }])
    count += rows.length
    rows = await run(database, next, [{ key: '', values: [rows.at(-1)?.[0]] }])
  }
  return count
}

function plansOf(entity: Entity, text: Column, folded: Column): [Prepared, Prepared, Prepared] {
  const { dialect, id } = entity
  const table = sql.table(entity.table)
  const [key, from, to] = [sql.id('id'), sql.id(text.name), sql.id(folded.name)]
  const missing = sql`${from} is not null and ${to} is null`
  const page = (condition: typeof missing) =>
    prepare(
      dialect,
      'read',
      sql`select ${key}, ${from} from ${table} where ${condition}
        order by ${key} limit ${sql.lit(batch)}`,
    )
  const same = sql`${sql.id(entity.table, 'id')} = ${sql.id('given', 'id')}
    and ${sql.id(entity.table, text.name)} = ${sql.id('given', 'text')}`
  const given = dialect === 'sqlite' ? givenAsJson() : givenAsArrays(entity)
  const write = sql`update ${table} set ${to} = ${sql.id('given', 'folded')}
    from (${given}) as given where ${same}`
  const after = sql`${key} > ${slot(0, 0, id.encode)} and ${missing}`
  return [page(missing), page(after), prepare(dialect, 'write', write)]
}

type Given = readonly (readonly unknown[])[] // `foldColumn` made it

function givenAsJson(): RawBuilder<unknown> {
  const rows = slot(0, 0, (given) => JSON.stringify(given))
  return sql`select value ->> 0 as id, value ->> 1 as text, value ->> 2 as folded from json_each(${rows})`
}

function givenAsArrays({ id }: Entity): RawBuilder<unknown> {
  const list = (at: number) =>
    slot(0, 0, (given) => (given as Given).map((row) => row[at]) as (string | number)[])
  return sql`select * from unnest(${list(0)}::${sql.raw(arrayTypes[id.kind])},
    ${list(1)}::text[], ${list(2)}::text[]) as lists (id, text, folded)`
}

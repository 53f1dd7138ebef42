import type { RawRow } from '../../database/types.js'
import { selected } from '../../model/column-sql.js'
import type { Column } from '../../model/columns.js'
import type { Entity, HasEntity } from '../../model/entity.js'
import { identifier, raw, read, type Sql, sql, table, write } from '../../sql/sql.js'
import { fold } from './fold.js'
import { foldedColumns } from './folding.js'

/** Rows read and written at once. */
const batch = 1000

/**
 * Folds the texts of rows that have none folded: those of before the field was, and those that
 * others wrote. Runs at the start, beside other instances if need be: a text that changed meanwhile
 * is left to who changed it.
 */
export async function foldStored(
  repositories: readonly HasEntity[],
  log: (line: string) => void,
): Promise<void> {
  for (const { definition: entity } of repositories) {
    for (const [column, folded] of foldedColumns(entity)) {
      const rows = await foldColumn(entity, column, folded)
      if (rows > 0) log(`folded '${column.field}' of ${rows} rows of '${entity.table}' for search`)
    }
  }
}

async function foldColumn(entity: Entity, text: Column, folded: Column): Promise<number> {
  const { database, id: key } = entity
  const [from, to] = [identifier(text.name), identifier(folded.name)]
  const next = (after: Sql) =>
    read(
      database,
      sql`select ${selected(key, raw('id'))}, ${from} from ${identifier(entity.table)}
        where ${after}${from} is not null and ${to} is null
        order by id limit ${raw(String(batch))}`,
    )
  let rows = await next(raw(''))
  let count = 0
  while (rows.length > 0) {
    await write(database, foldRows(entity, text, folded, rows))
    count += rows.length
    rows = await next(sql`id > ${key.encode(rows.at(-1)?.[0])} and `)
  }
  return count
}

/** One UPDATE of rows `id, text`. */
function foldRows(entity: Entity, text: Column, folded: Column, rows: readonly RawRow[]): Sql {
  const given = rows.map(([key, value]) => [key, value, fold(String(value))])
  const source = entity.dialect === 'sqlite' ? asJson(given) : asArrays(entity, given)
  const place = identifier('t0', text.name)
  return sql`update ${table(entity.table, 't0')} set ${identifier(folded.name)} = given.folded
    from (${source}) as given where ${identifier('t0', 'id')} = given.id and ${place} = given.text`
}

type FoldedRows = readonly (readonly unknown[])[]

const asJson = (given: FoldedRows): Sql =>
  sql`select value ->> 0 as id, value ->> 1 as text, value ->> 2 as folded
    from json_each(${JSON.stringify(given)})`

function asArrays({ id: key }: Entity, given: FoldedRows): Sql {
  const list = (at: number) => given.map((row) => row[at] as string | number) // keys and texts
  return sql`select * from unnest(${list(0)}::${raw(key.storage.type)}[],
    ${list(1)}::text[], ${list(2)}::text[]) as lists (id, text, folded)`
}

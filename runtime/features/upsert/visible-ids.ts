import { selected } from '../../model/column-sql.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Row } from '../../model/entity.js'
import { givenRows, typedAt } from '../../operations/given-rows.js'
import { place } from '../../operations/write/many/named-rows.js'
import { visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { where } from '../../policy/predicate.js'
import { identifier, join, raw, read, type Sql, sql, table } from '../../sql/sql.js'
import { isAnyCase, type Key, maySeeKey } from './keys.js'

/** Finds the record of each key; null: there is none that this user sees. One statement. */
export async function visibleIds(
  access: Access,
  key: Key,
  rows: readonly Row[],
): Promise<readonly (string | null)[]> {
  const { entity } = access
  const found: (string | null)[] = rows.map(() => null)
  const filter = answersTest(entity, [await visibleRows(access)])
  if (filter === false || filter === null || !maySeeKey(access, key)) return found
  const id = selected(entity.id, identifier('t0', entity.id.name))
  const query = sql`select ${identifier('v', place)}, ${id} from (${givenKeys(access, key, rows)}) as v
    join ${table(entity.table, 't0')} on ${sameKey(access, key)}${where(filter, access)}`
  // JSON counts from 0, and PostgreSQL from 1.
  const first = entity.dialect === 'sqlite' ? 0 : 1
  for (const [at, idOfRow] of await read(entity.database, query)) {
    found[Number(at) - first] = String(idOfRow)
  }
  return found
}

function givenKeys({ entity }: Access, key: Key, rows: readonly Row[]): Sql {
  const columns = key.map((name) => columnNamed(entity, name))
  const given = rows.map((row) => columns.map(({ field, encode }) => encode(row[field])))
  const names = columns.map(
    (column, at) => sql`${typedAt(entity, column, at)} as ${identifier(String(at))}`,
  )
  // With a limit SQLite reads the list once.
  const once = raw(entity.dialect === 'sqlite' ? ' limit -1' : '')
  return sql`select ${join(names)}, r.key as ${identifier(place)} from ${givenRows(entity, given)}${once}`
}

function sameKey({ entity }: Access, key: Key): Sql {
  const tests = key.map((name, at) => {
    const [own, given] = [
      identifier('t0', columnNamed(entity, name).name),
      identifier('v', String(at)),
    ]
    if (!isAnyCase(entity, name)) return sql`${own} = ${given}`
    const byLetter = raw(entity.dialect === 'sqlite' ? '' : ' collate "C"')
    return sql`lower(${own}${byLetter}) = lower(${given})`
  })
  return join(tests, ' and ')
}

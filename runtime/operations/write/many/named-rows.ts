import { columnNamed } from '../../../model/entity-columns.js'
import type { Entity } from '../../../model/entity.js'
import { identifier, join, raw, type Sql, sql } from '../../../sql/sql.js'
import { givenRows, typedAt } from '../../given-rows.js'
import type { Values } from '../values.js'

/** The name of a record's index in the list: no table has such a column. */
export const place = '#'

/**
 * Records with their columns as `"0"`, `"1"` …, which no column of a table is called. With a limit
 * SQLite reads the list once: else it may go through it for each row that it is joined with (1,000
 * records: 350 ms instead of 5).
 */
export function namedRows(entity: Entity, names: readonly string[], rows: readonly Values[]): Sql {
  const columns = names.map(
    (name, at) =>
      sql`${typedAt(entity, columnNamed(entity, name), at)} as ${identifier(String(at))}`,
  )
  const once = raw(entity.dialect === 'sqlite' ? ' limit -1' : '')
  return sql`select ${join(columns)} from ${givenRows(entity, rows)}${once}`
}

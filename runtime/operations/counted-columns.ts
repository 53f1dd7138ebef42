import { longText } from '../database/statement-limits.js'
import type { Dialect } from '../database/types.js'
import type { Column, ColumnKind } from '../model/columns.js'
import type { Settings } from '../model/entity.js'
import { id, raw, type Sql } from '../sql/sql.js'

/** Kinds whose values may be of any length. */
export const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'password', 'uuid', 'json'])

/**
 * Columns of related records. On SQLite such a statement counts its long texts itself; what is
 * shorter is no more than an answer in as many rows as a request may ask for.
 */
export function countedColumns(
  { maxResponse, maxRelated }: Pick<Settings, 'maxResponse' | 'maxRelated'>,
  dialect: Dialect,
  columns: readonly Column[],
  alias: string,
): Sql[] {
  const texts = columns.filter(({ kind }) => textKinds.has(kind)).length
  const most = Math.floor(Math.min(maxResponse, 2 ** 30) / (maxRelated + 1) / texts)
  return columns.map(({ name, kind }) => {
    const column = id(alias, name)
    if (dialect !== 'sqlite' || !textKinds.has(kind)) return column
    const [text = ''] = column.texts
    const bytes = `octet_length(${text})`
    return raw(`iif(${bytes} > ${most}, iif(${longText}(${bytes}), ${text}, ''), ${text})`)
  })
}

import { longText } from '../../database/statement-limits.js'
import { selected } from '../../model/column-sql.js'
import type { Column } from '../../model/columns.js'
import type { Entity, Settings } from '../../model/entity.js'
import type { RowReader } from '../../operations/row-reader.js'
import { identifier, join, raw, type Sql } from '../../sql/sql.js'

type Limits = Pick<Settings, 'maxResponse' | 'maxRelated'>

/** Each list of columns that a reader keeps, as it is selected. */
const lists = new WeakMap<readonly Column[], Sql>()

/**
 * Returns the columns to select of `t0`, in a statement with as many rows as related records are
 * allowed.
 */
export function selectCounted(reader: RowReader, entity: Entity): Sql {
  const { columns } = reader
  const list = lists.get(columns) ?? join(countedColumns(entity, columns, 't0'))
  lists.set(columns, list)
  return reader.selectAs(list)
}

/**
 * Columns of related records. On SQLite such a statement counts its long texts itself; what is
 * shorter is no more than an answer in as many rows as a request may ask for.
 */
export function countedColumns(
  { settings, dialect }: Pick<Entity, 'dialect'> & { readonly settings: Limits },
  columns: readonly Column[],
  alias: string,
): Sql[] {
  const { maxResponse, maxRelated } = settings
  const texts = columns.filter(({ storage }) => storage.isLong).length
  const most = Math.floor(Math.min(maxResponse, 2 ** 30) / (maxRelated + 1) / texts)
  return columns.map((each) => {
    const column = identifier(alias, each.name)
    if (dialect !== 'sqlite' || !each.storage.isLong) return selected(each, column)
    const [text = ''] = column.texts
    const bytes = `octet_length(${text})`
    return raw(`iif(${bytes} > ${most}, iif(${longText}(${bytes}), ${text}, ''), ${text})`)
  })
}

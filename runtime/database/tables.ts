import type { ColumnType, Generated } from 'kysely'

/**
 * A table for Kysely, from its row type: columns in `Auto` may be left out of an insert, columns
 * in `Dates` are read as ISO strings and written as `Date` or as ISO strings with milliseconds
 * and `Z`.
 *
 * @example Table<Post, 'id', 'published_at' | 'created_at' | 'updated_at'>
 */
export type Table<Row, Auto extends keyof Row = never, Dates extends keyof Row = never> = {
  [Column in keyof Row]: Column extends Auto
    ? Generated<Row[Column]>
    : Column extends Dates
      ? ColumnType<Row[Column], Row[Column] | Date, Row[Column] | Date>
      : Row[Column]
}

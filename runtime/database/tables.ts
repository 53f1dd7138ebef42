import type { ColumnType, Generated, InsertType, SelectType, UpdateType } from 'kysely'

/**
 * A table for Kysely, from its row type: columns in `Auto` may be left out of an insert, columns
 * in `Dates` are read as ISO strings and written as `Date` or as ISO strings with milliseconds
 * and `Z`.
 *
 * @example Table<Post, 'id', 'published_at' | 'created_at' | 'updated_at'>
 */
export type Table<Row, Auto extends keyof Row = never, Dates extends keyof Row = never> = {
  [Column in keyof Row]: Column extends keyof Object
    ? MayBeInherited<Typed<Row, Column, Auto, Dates>>
    : Typed<Row, Column, Auto, Dates>
}

type Typed<Row, Column extends keyof Row, Auto, Dates> = Column extends Auto
  ? Generated<Row[Column]>
  : Column extends Dates
    ? ColumnType<Row[Column], Row[Column] | Date, Row[Column] | Date>
    : Row[Column]

/**
 * A column called `toString`, say, which can be left out like any other: TypeScript finds the
 * function every object inherits. Where an insert must not leave it out, the database reports it.
 */
type MayBeInherited<Column> = ColumnType<
  SelectType<Column>,
  InsertType<Column> | Function,
  UpdateType<Column> | Function
>

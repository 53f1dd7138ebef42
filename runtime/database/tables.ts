import type { ColumnType, Generated, InsertType, SelectType, UpdateType } from 'kysely'
import type { Inherited } from '../model/inherited.js'

/**
 * A table for Kysely, from its row type: columns in `Auto` may be left out of an insert, columns
 * in `Dates` are read as ISO strings and written as `Date` or as ISO strings with milliseconds
 * and `Z`.
 *
 * @example Table<Post, 'id', 'published_at' | 'created_at' | 'updated_at'>
 */
export type Table<Row, Auto extends keyof Row = never, Dates extends keyof Row = never> = {
  [Column in keyof Row]: Column extends keyof Object
    ? LeftOut<Column, Typed<Row, Column, Auto, Dates>>
    : Typed<Row, Column, Auto, Dates>
}

type Typed<Row, Column extends keyof Row, Auto, Dates> = Column extends Auto
  ? Generated<Row[Column]>
  : Column extends Dates
    ? ColumnType<Row[Column], Row[Column] | Date, Row[Column] | Date>
    : Row[Column]

/**
 * A column called `toString`, say, which can be left out like any other; where an insert must not,
 * the database says so.
 */
type LeftOut<Name, Column> = ColumnType<
  SelectType<Column>,
  InsertType<Column> | Inherited<Name>,
  UpdateType<Column> | Inherited<Name>
>

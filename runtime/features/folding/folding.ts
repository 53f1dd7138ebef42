import { textTest } from '../../model/column-sql.js'
import type { Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Entity, Extension, Row, Scope } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { referTo } from '../../policy/condition-sql.js'
import { test } from '../../policy/predicate.js'
import { type Sql, sql } from '../../sql/sql.js'
import { fold } from './fold.js'

/** Columns, and the column that holds the text of each folded. */
type FoldedColumns = Readonly<Record<string, string | undefined>>

interface Folding extends Extension {
  readonly folded: FoldedColumns
}

/**
 * For a repository: columns that are searched without case and accents, and the column that holds
 * each so.
 * @example extensions: [folding({ title: 'title_folded' })]
 */
export const folding = (folded: FoldedColumns): Folding => ({
  folded,
  write: () => ({ values: (_, values) => foldedOf(folded, values) }),
  containsAnyCase: (scope, column, expression, text) => {
    const stored = getOwn(folded, column.field)
    if (stored === undefined) return undefined
    return foldedTest(scope, columnNamed(scope.entity, stored), { column, expression, text })
  },
})

const isFolding = (extension: Extension): extension is Folding => 'folded' in extension

/** The columns of a repository that are folded, and those that hold them so. */
export function foldedColumns(entity: Entity): readonly (readonly [Column, Column])[] {
  const pairs = entity.extensions.filter(isFolding).flatMap(({ folded }) => Object.entries(folded))
  return pairs.map(([text, folded]) => [
    columnNamed(entity, text),
    columnNamed(entity, folded ?? ''),
  ])
}

/** Makes the folded values of texts that are written. */
function foldedOf(columns: FoldedColumns, values: Row): Row {
  const folded: Row = {}
  for (const [name, column] of Object.entries(columns)) {
    if (column === undefined || !Object.hasOwn(values, name)) continue
    const text = values[name]
    folded[column] = typeof text === 'string' ? fold(text) : null
  }
  return folded
}

/**
 * Text is looked for where it is stored folded. A row that others wrote may have nothing there yet:
 * of such a row, the database folds what it can.
 */
function foldedTest(scope: Scope, stored: Column, search: TextSearch) {
  const { column, expression, text } = search
  const { dialect } = scope.entity
  const place = referTo(scope, stored)
  const asWritten = textTest('containsAnyCase', column, expression, text, dialect)
  const found = textTest('contains', stored, place, fold(text), dialect)
  return test(sql`(${found} or (${place} is null and ${asWritten}))`, { isOwnRow: false })
}

/** A text that is looked for in a column, which stands as `expression`. */
interface TextSearch {
  readonly column: Column
  readonly expression: Sql
  readonly text: string
}

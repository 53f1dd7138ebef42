import { textTest } from '../../model/column-sql.js'
import type { Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Folding, Row, Scope } from '../../model/entity.js'
import { referTo } from '../../policy/condition-sql.js'
import { test } from '../../policy/predicate.js'
import { type Sql, sql } from '../../sql/sql.js'
import { fold } from './fold.js'

/**
 * For a repository: columns that are searched without case and accents, and the column that holds
 * each so.
 * @example folded: folding({ title: 'title_folded' })
 */
export const folding = (columns: Folding['columns']): Folding => ({
  columns,
  stored: (values) => foldedOf(columns, values),
  test: foldedTest,
})

/** What is stored folded follows the text it is made of. */
function foldedOf(columns: Folding['columns'], values: Row): Row {
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
function foldedTest(scope: Scope, column: Column, expression: Sql, text: string) {
  const { entity } = scope
  const stored = columnNamed(entity, column.folded ?? '')
  const place = referTo(scope, stored)
  const asWritten = textTest('folded', column, expression, text, entity.dialect)
  const found = textTest('contains', stored, place, fold(text), entity.dialect)
  return test(sql`(${found} or (${place} is null and ${asWritten}))`, { isOwnRow: false })
}

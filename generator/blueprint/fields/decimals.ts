import { kindOf } from '../../kinds/kinds.js'
import { inRelated, type Context } from '../entity-draft.js'
import type { Path } from '../problems.js'
import type { PivotLink } from '../relations/pivots.js'
import type { Column } from '../types.js'
import { isDigits } from './bounds.js'

/** A number of SQLite has 53 bits: up to here, no two decimals are the same number. */
const LONGEST = 15

/** SQLite keeps, compares and sorts decimals of 15 digits exactly, and no longer ones. PostgreSQL takes all. */
export function checkDecimals(pivots: readonly PivotLink[], { drafts, report }: Context): void {
  for (const { path, fields } of drafts) checkColumns(fields, [path, 'fields'], 'field')
  for (const { link, fields } of pivots) {
    checkColumns(fields ?? [], inRelated(link.from, link.key, 'pivot'), 'pivot field')
  }

  function checkColumns(columns: readonly Column[], at: Path, what: string): void {
    for (const { name, kind, precision = 0, scale = 0 } of columns) {
      // Digits that no database takes have a problem of their own.
      const isDecimal = isDigits(precision, scale) && kindOf(kind).takes === 'digits'
      if (!isDecimal || precision <= LONGEST) continue
      report({
        rule: 'decimal-digits',
        at: [...at, name],
        message: `${what} '${name}' is decimal(${precision}, ${scale}), and SQLite keeps ${LONGEST} digits exactly`,
        fix: `decimal(${LONGEST}, ${Math.min(scale, 8)}), or database: 'postgresql', which keeps them all`,
      })
    }
  }
}

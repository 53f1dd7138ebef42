import { storedAs } from '../../../kinds/kinds.js'
import type { SqlTable } from '../../sql/sql-tables.js'
import type { ConvertedColumn } from '../losses.js'
import type { Change } from './change.js'
import type { Check } from './checks.js'
import { formMark } from './form.js'

/** A change, and what becomes of the values that do not fit. */
export interface Decided extends Change {
  /** SQL of the new value, of a row as it was. */
  readonly value: string
  /** The conversion that gives NULL for a value of which something is lost. */
  readonly exact: string
  /** Rows that stop the migration. */
  readonly checks: readonly Check[]
  /** False: values that fit stay as they are stored. */
  readonly isRewritten: boolean
  /** The rows of a column that are rewritten, and SQL of their new values. */
  readonly update: { readonly where: string; readonly value: string } | null
  readonly isFilled: boolean
  readonly others: ConvertedColumn['others']
  readonly fromName: string
  readonly toName: string
  readonly prelude: string
}

type Tables = ReadonlyMap<string, SqlTable>

interface Facts {
  readonly fills: readonly { readonly table: string; readonly column: string }[]
  readonly before: Tables
  /** With what is filled as default. */
  readonly after: Tables
}

/*
 *  a value that does not fit       becomes
 *  --fill says something           that
 *  else                            what is left of it, or NULL, or the default, in a run that accepts data loss; others stop
 *  if there is no such             it stops the migration
 */
export function decide(change: Change, facts: Facts): Decided {
  const { table, column, from, to, conversion } = change
  const { fits, cut, value, prelude } = conversion
  const name = `"${column}"`
  const given = facts.after.get(table)?.columns.get(column)?.default ?? null
  const isFilled =
    fits !== null && facts.fills.some((each) => each.table === table && each.column === column)
  const other = to.nullable ? 'NULL' : given
  const left = fits === null ? null : isFilled ? given : leftOf(cut?.(name) ?? null, other)
  const misfit = fits === null ? null : `${name} IS NOT NULL AND NOT (${fits(name)})`
  const types = [facts.before, facts.after].map(
    (tables) => tables.get(table)?.columns.get(column)?.type,
  )
  const [now, isSameType] = [value(name), types[0] === types[1]]
  const isStored = isSameType && now === name
  // Before anything else: an index that goes is still there, and a column that may be NULL from now on may not be yet.
  const isInPlace =
    isStored &&
    !isFilled &&
    (from.nullable || !to.nullable) &&
    !losesUnique(facts, { table, column })
  const isKept = fits === null || left === null || isInPlace
  const converted = isKept ? now : `CASE WHEN ${fits(name)} THEN ${now} ELSE ${left} END`
  const exact = fits === null || isFilled ? converted : `CASE WHEN ${fits(name)} THEN ${now} END`
  const checks =
    misfit === null || (isFilled && left !== null)
      ? []
      : checksOf(change, { misfit, left, isSure: other !== null || conversion.isCutSure })
  return {
    ...change,
    value: ifGiven(name, converted),
    exact: ifGiven(name, exact),
    checks,
    isRewritten: !isStored || converted !== name,
    update: isInPlace && misfit !== null && left !== null ? { where: misfit, value: left } : null,
    isFilled,
    others:
      misfit === null
        ? null
        : isFilled
          ? 'filled'
          : checks.some(({ isAcceptable }) => isAcceptable)
            ? 'accepted'
            : 'stop',
    fromName: formMark(from),
    toName: formMark(to),
    prelude,
  }
}

function losesUnique(
  { before, after }: Facts,
  { table, column }: Pick<Change, 'table' | 'column'>,
) {
  const kept = after.get(table)?.uniques
  const old = [...(before.get(table)?.uniques ?? [])]
  return old.some((index) => kept?.has(index) !== true && index.includes(column))
}

const ifGiven = (name: string, value: string) =>
  value === name ? name : `CASE WHEN ${name} IS NOT NULL THEN ${value} END`

interface Misfits {
  readonly misfit: string
  readonly left: string | null
  /** That is never NULL, or the column may be. */
  readonly isSure: boolean
}

function checksOf(change: Change, { misfit, left, isSure }: Misfits): readonly Check[] {
  const { table, column, from, to } = change
  const isSecret = [from, to].some((form) => storedAs(form).isSecret)
  const says = `is no ${formMark(to)}`
  const check = (where: string, isAcceptable: boolean): Check => {
    return { table, column, says, isSecret, isAcceptable, where }
  }
  if (left === null) return [check(misfit, false)]
  return [...(isSure ? [] : [check(`${misfit} AND (${left}) IS NULL`, false)]), check(misfit, true)]
}

/** The id of a morph: one that is none of its sides' is looked for by the type beside it, and emptied with that. */
export function decidePointer(change: Change, facts: Facts): Decided {
  return { ...decide(change, facts), checks: [], others: null }
}

/** Returns the rest of a value, or else the other; null: neither. */
function leftOf(cut: string | null, other: string | null): string | null {
  if (cut === null || other === null) return cut ?? other
  return other === 'NULL' ? cut : `coalesce(${cut}, ${other})`
}

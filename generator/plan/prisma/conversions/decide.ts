import type { ConvertedColumn } from '../losses.js'
import type { SqlTable } from '../sql-tables.js'
import type { Change } from './change.js'
import type { Check } from './checks.js'
import { formMark } from './form.js'

/** A change, and what was decided for the values that do not fit. */
export interface Decided extends Change {
  /** SQL of the new value, of a row as it was. */
  readonly value: string
  /** Rows that stop the migration. */
  readonly check: Check | null
  /** False: every value stays as it is stored. */
  readonly isRewritten: boolean
  readonly isCut: boolean
  readonly isFilled: boolean
  readonly others: ConvertedColumn['others']
  readonly fromName: string
  readonly toName: string
  readonly prelude: string
}

type Tables = ReadonlyMap<string, SqlTable>

interface Facts {
  readonly fills: readonly { readonly table: string; readonly column: string }[]
  readonly cuts?: readonly string[] | 'all'
  readonly before: Tables
  /** With what is filled as default. */
  readonly after: Tables
}

/*
 *  a value that does not fit       becomes
 *  --fill says something           that
 *  data loss is accepted           what is left of it, or NULL, or the default
 *  else, or if there is no such    it stops the migration
 */
export function decide(change: Change, facts: Facts): Decided {
  const { table, column, from, to, conversion } = change
  const { fits, cut, value, prelude } = conversion
  const name = `"${column}"`
  const given = facts.after.get(table)?.columns.get(column)?.default ?? null
  const isFilled =
    fits !== null && facts.fills.some((each) => each.table === table && each.column === column)
  const isCut =
    fits !== null &&
    !isFilled &&
    (facts.cuts === 'all' || facts.cuts?.includes(`${table}.${column}`) === true)
  const otherwise = isFilled
    ? given
    : isCut
      ? leftOf(cut?.(name) ?? null, to.nullable ? 'NULL' : given)
      : null
  const exact = value(name)
  const isStopping =
    fits !== null && (otherwise === null || (isCut && !to.nullable && given === null))
  const misfit = fits === null ? '' : `${name} IS NOT NULL AND NOT (${fits(name)})`
  const check: Check | null = isStopping
    ? {
        table,
        column,
        says: `is no ${formMark(to)}`,
        isSecret: from.kind === 'password' || to.kind === 'password',
        where: otherwise === null ? misfit : `${misfit} AND (${otherwise}) IS NULL`,
      }
    : null
  const converted =
    fits === null || otherwise === null
      ? exact
      : `CASE WHEN ${fits(name)} THEN ${exact} ELSE ${otherwise} END`
  const types = [facts.before, facts.after].map(
    (tables) => tables.get(table)?.columns.get(column)?.type,
  )
  return {
    ...change,
    value: converted === name ? name : `CASE WHEN ${name} IS NOT NULL THEN ${converted} END`,
    check,
    isRewritten: converted !== name || types[0] !== types[1],
    isCut: isCut && otherwise !== null,
    isFilled,
    others:
      fits === null ? null : isFilled ? 'filled' : isCut && otherwise !== null ? 'cut' : 'stop',
    fromName: formMark(from),
    toName: formMark(to),
    prelude,
  }
}

/** The id of a morph: one that is none of its sides' is looked for by the type beside it, and emptied with that. */
export function decidePointer(change: Change, facts: Omit<Facts, 'cuts'>): Decided {
  const decided = decide(change, { ...facts, cuts: 'all' })
  return { ...decided, check: null, isCut: false, others: null }
}

/** What is left of a value, or else the other; null: neither. */
function leftOf(cut: string | null, other: string | null): string | null {
  if (cut === null || other === null) return cut ?? other
  return other === 'NULL' ? cut : `coalesce(${cut}, ${other})`
}

import { storedName } from '../../../blueprint/names/names.js'
import type { Blueprint, Column, Entity } from '../../../blueprint/types.js'
import type { Advice } from '../../../plan/advice/advice.js'
import { quoted } from '../../database/drafts/project.js'
import type { PlanAsked } from './plans.js'
import type { TableFacts } from './table-facts.js'

/** A list that the manifest allows, as a statement, and what is said where it goes through its table. */
export interface ListAsked extends PlanAsked {
  readonly advice: Advice
}

/** A table with fewer rows is read in a millisecond, and databases know it. */
const large = 10_000

/** Filters and sorts of large tables. Of what has no index, `svc doctor` speaks without a database. */
export const listsAsked = (
  { entities, database }: Blueprint,
  facts: readonly TableFacts[],
): readonly ListAsked[] =>
  entities.flatMap((entity) => {
    const rows = facts.find(({ table }) => table === entity.table)?.rows ?? 0
    return rows < large ? [] : [...filters(entity, rows), ...sorts(entity, rows, database)]
  })

const indexed = ({ columns }: Entity, name: string): Column | undefined =>
  columns.find((each) => each.name === name && (each.indexed || each.unique))

function filters(entity: Entity, rows: number): readonly ListAsked[] {
  const { key, table, match } = entity
  return match
    .filter(({ type }) => type !== 'partial')
    .flatMap(({ column: name }) => {
      const column = indexed(entity, name)
      if (column === undefined) return []
      const [from, value] = [quoted(table), quoted(storedName(column))]
      const sql = `SELECT 1 FROM ${from} WHERE ${value} = (SELECT ${value} FROM ${from} WHERE ${value} IS NOT NULL LIMIT 1)`
      const fix =
        'where its statistics are old, ANALYZE; where most rows have the same value, no index helps'
      return [{ table, sql, advice: advice(`filtering '${key}' by '${name}'`, entity, rows, fix) }]
    })
}

function sorts(
  entity: Entity,
  rows: number,
  database: Blueprint['database'],
): readonly ListAsked[] {
  const { key, table, sort, columns } = entity
  const id = columns.find(({ role }) => role === 'id')
  if (id === undefined) return []
  return sort.flatMap((name) => {
    const column = indexed(entity, name)
    if (column === undefined) return []
    const nulls = database === 'sqlite' && column.nullable ? ' NULLS LAST' : ''
    const order = `${quoted(storedName(column))}${nulls}, ${quoted(storedName(id))} DESC`
    const sql = `SELECT 1 FROM ${quoted(table)} ORDER BY ${order} LIMIT 15`
    const fix = 'where its statistics are old, ANALYZE; where its index is not valid, REINDEX'
    return [{ table, sql, advice: advice(`sorting '${key}' by '${name}'`, entity, rows, fix) }]
  })
}

const advice = (what: string, { source }: Entity, rows: number, fix: string): Advice => ({
  rule: 'slow-list',
  at: source,
  message: `${what} goes through all ${rows.toLocaleString('en')} rows, says this database (EXPLAIN)`,
  fix,
})

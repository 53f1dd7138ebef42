import type { Connection } from '../../database/types.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import type { StoredKind } from '../../kinds/kind.js'
import { canonical, type Column } from '../../model/columns.js'
import type { Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { givenRows, typedAt } from '../../operations/given-rows.js'
import { throwRefusedPivots } from '../../operations/refused-by-database.js'
import { stepsOf } from '../../operations/statement-steps.js'
import type { Values } from '../../operations/write/values.js'
import { identifier, join, literal, raw, type Sql, sql, write } from '../../sql/sql.js'
import { targetOf } from '../relations/entries.js'
import { chosenPivots, parentValue, pivotList, pivotRow } from '../relations/pivot-rows.js'
import { type PivotLink, pivotTable, pointerKind } from '../relations/relation-sql.js'
import type { PivotChange, PivotGroup } from './pivot-change.js'
import { newPivotValues } from './pivot-input.js'

/** One statement to remove, and one to add those that say the same fields; on SQLite more for many. */
export async function writePivots(
  change: PivotChange,
  row: Row,
  connection: Connection,
): Promise<Row[]> {
  const { operation, link, ids, groups, visible } = change
  if (operation !== 'attach') {
    const side = operation === 'detach' ? 'named' : 'others'
    const chosen = chosenPivots(link, row, { ids, side, visible })
    await write(connection, sql`delete from ${pivotTable(link, 'p')} where ${chosen}`)
  }
  if (operation === 'detach') return []
  const { relatedKey } = link.relation.pivot
  const pivots = new Map<unknown, Row>()
  for (const { said, rows } of rowsOf(link, groups)) {
    for (const step of stepsOf(connection, rows)) {
      if (isTurnLong()) await nextTurn()
      for (const stored of await write(connection, attachRows(link, { said, rows: step }, row))) {
        const pivot = pivotRow(link, row, stored)
        pivots.set(pivot[relatedKey], shownPivot(link, pivot))
      }
    }
  }
  return ids.flatMap((each): Row[] => {
    const pivot = pivots.get(each)
    return pivot === undefined ? [] : [pivot]
  })
}

/** Pivot rows to write whose bodies say the same fields. */
interface GivenPivots {
  /** Fields that the body has; the others of a new row are defaults. */
  readonly said: readonly string[]
  /** The related id, and the fields of a new row in the order of `fieldsOf`. */
  readonly rows: readonly { readonly stored: Values }[]
}

function rowsOf(link: PivotLink, groups: readonly PivotGroup[]): readonly GivenPivots[] {
  const { id } = targetOf(link)
  const bySaid = new Map<string, { said: readonly string[]; rows: { stored: Values }[] }>()
  for (const { ids, values } of groups) {
    const said = Object.keys(values)
    const filled = newPivotValues(link.relation, values)
    const fields = fieldsOf(link, said).map((column) => {
      const value = canonical(column, getOwn(filled, column.name))
      return value === null ? null : column.encode(value)
    })
    const known = bySaid.get(said.join()) ?? { said, rows: [] }
    bySaid.set(said.join(), known)
    for (const each of ids) known.rows.push({ stored: [id.encode(each), ...fields] })
  }
  return [...bySaid.values()]
}

/** Fields of a new pivot row that has values for them. */
function fieldsOf({ relation, pivot }: PivotLink, said: readonly string[]): readonly Column[] {
  const defaults = newPivotValues(relation, {})
  return [...pivot.values()].filter(
    ({ name }) => said.includes(name) || Object.hasOwn(defaults, name),
  )
}

/**
 * Adds the pivot rows that are missing, with the values of the body over the defaults; rows that
 * are there get those of the body. Returns all of them: the related key, then the pivot fields.
 */
function attachRows(link: PivotLink, { said, rows }: GivenPivots, row: Row): Sql {
  const { table, foreignKey, relatedKey, morphType } = link.relation.pivot
  const { id } = targetOf(link)
  const fields = fieldsOf(link, said)
  const key = [foreignKey, ...(morphType === undefined ? [] : [morphType]), relatedKey]
  const selected = [
    typed(link, parentValue(link, row), pointerKind(link)),
    ...(morphType === undefined ? [] : [literal(link.source.key)]),
    ...[id, ...fields].map((column, at) => typedAt(link.source, column, at)),
  ]
  // The key is set to itself: otherwise rows that are there already would not be returned.
  const set = [relatedKey, ...said].map(
    (name) => sql`${identifier(name)} = ${identifier('excluded', name)}`,
  )
  const names = (list: readonly string[]) => join(list.map((name) => identifier(name)))
  const given = rows.map(({ stored }) => stored)
  return sql`insert into ${identifier(table)} (${names([...key, ...fields.map(({ name }) => name)])})
    select ${join(selected)} from ${givenRows(link.source, given)} where true
    order by ${typedAt(link.source, id, 0)}
    on conflict (${names(key)}) do update set ${join(set)}
    returning ${pivotList(link, '')}`
}

/** PostgreSQL must be given the type of a selected parameter. */
function typed({ source }: PivotLink, value: Sql, { type }: StoredKind): Sql {
  if (source.dialect === 'sqlite') return value
  return sql`cast(${value} as ${raw(type)})`
}

/** A pivot row as JSON: keys are text there, hidden fields are left out. */
function shownPivot({ relation, shownPivot: shown }: PivotLink, pivot: Row): Row {
  const { foreignKey, morphType, relatedKey } = relation.pivot
  return Object.assign(morphType === undefined ? {} : { [morphType]: pivot[morphType] }, {
    [foreignKey]: String(pivot[foreignKey]),
    [relatedKey]: String(pivot[relatedKey]),
    ...Object.fromEntries(shown.map(({ name }) => [name, pivot[name]])),
  })
}

export function throwRefused(
  { access, link, groups }: PivotChange,
  error: unknown,
): Promise<never> {
  const { database, dialect } = access.entity
  const { table } = link.relation.pivot
  const values: Row = Object.assign({}, ...groups.map((group) => group.values))
  return throwRefusedPivots({ database, dialect, table, columns: link.pivot }, values, error)
}

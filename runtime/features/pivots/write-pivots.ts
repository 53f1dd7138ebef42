import type { Connection } from '../../database/types.js'
import { canonical, type Column } from '../../model/columns.js'
import type { Row } from '../../model/definition.js'
import { own } from '../../model/own.js'
import { type Change, ownParts } from './read-change.js'
import { newPivotValues } from './pivot-input.js'
import { attachPlan, detachPlan } from './pivot-sql.js'
import { pivotRow, shownPivot } from './pivot-row.js'
import { run } from '../../sql/statement-cache.js'

/** One statement for each of: removing, adding. */
export async function writePivots(
  change: Change,
  row: Row,
  connection: Connection,
): Promise<Row[]> {
  const { operation, link, visible } = change
  const { plans } = link.source
  if (operation !== 'attach') {
    const side = operation === 'detach' ? 'named' : 'others'
    const plan = plans.get(`detach|${link.key}|${side}|${visible.key}`, () =>
      detachPlan(link, visible, side),
    )
    await run(connection, plan, ownParts(change, row))
  }
  return operation === 'detach' ? [] : addPivots(change, row, connection)
}

async function addPivots(change: Change, row: Row, connection: Connection): Promise<Row[]> {
  const { link, ids, values } = change
  const filled = newPivotValues(link.relation, values)
  const columns = [...link.pivot.values()].filter(({ name }) => Object.hasOwn(filled, name))
  const updated = columns.filter(({ name }) => Object.hasOwn(values, name))
  const shape = `${names(columns)}|${names(updated)}`
  const plan = link.source.plans.get(`attach|${link.key}|${shape}`, () =>
    attachPlan(link, columns, updated),
  )
  const stored = columns.map((column) => canonical(column, own(filled, column.name)))
  const rows = await run(connection, plan, ownParts(change, row, stored))
  const { relatedKey } = link.relation.pivot
  const pivots = new Map<unknown, Row>()
  for (const raw of rows) {
    const pivot = pivotRow(link, row, raw)
    pivots.set(pivot[relatedKey], shownPivot(link, pivot))
  }
  return ids.flatMap((id): Row[] => {
    const pivot = pivots.get(id)
    return pivot === undefined ? [] : [pivot]
  })
}

const names = (columns: readonly Column[]) => columns.map(({ name }) => name).join()

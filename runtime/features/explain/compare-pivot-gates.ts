import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Entity, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { identifier, join, read, sql } from '../../sql/sql.js'
import { newPivotValues } from '../pivots/pivot-input.js'
import { gateConditions, hasGate, type PivotOperation } from '../pivots/pivot-policy.js'
import { relatedOf } from '../relations/entries.js'
import { isPivotLink, type PivotLink, pivotTable } from '../relations/relation-sql.js'
import type { Asker } from './why-types.js'

interface States {
  readonly old: Entity
  readonly now: Entity
}

interface GateDifference {
  /** `canAttach.users` */
  readonly operation: string
  readonly gains: boolean
  readonly loses: boolean
}

const gates = { attach: 'canAttach', detach: 'canDetach', sync: 'canSync' } as const
const operations = Object.keys(gates) as readonly PivotOperation[]
/** Pivot rows there are that are asked about. */
const mostRows = 20

/**
 * What the gates of pivot fields say of the first pivot rows there are, and of new ones: with their
 * defaults, and with each other value of a field that has few.
 */
export async function changedPivotGates(
  { old, now }: States,
  user: Asker,
): Promise<readonly GateDifference[]> {
  const found: GateDifference[] = []
  for (const [key, link] of relatedOf(now)?.links ?? []) {
    if (!isPivotLink(link)) continue
    const accesses = [old, now].map((entity) => accessTo(newRequest(user), entity))
    const asked = operations.filter((each) => accesses.some((access) => hasGate(access, each, key)))
    const pivots = asked.length === 0 ? [] : [...newPivots(link), ...(await pivotsOf(link))]
    for (const operation of asked) {
      let [gains, loses] = [false, false]
      for (const pivot of pivots) {
        const [was, is] = await Promise.all(
          accesses.map((access) => gateConditions(access, operation, key, [pivot])),
        )
        // It is not known here which records satisfy a condition: it may be more, or fewer.
        const isOther = !isDeepStrictEqual(was, is)
        gains ||= isOther && is !== null && was?.length !== 0
        loses ||= isOther && was !== null && is?.length !== 0
      }
      if (gains || loses) found.push({ operation: `${gates[operation]}.${key}`, gains, loses })
    }
  }
  return found
}

function newPivots({ relation, pivot }: PivotLink): readonly Row[] {
  const start = newPivotValues(relation, {})
  const others = [...pivot.keys()].flatMap((field) =>
    optionsOf(getOwn(relation.pivot.rules ?? {}, field)).map((value) => ({
      ...start,
      [field]: value,
    })),
  )
  return [start, ...others]
}

/** Returns the options of a select or a boolean. */
function optionsOf(rule: unknown): readonly unknown[] {
  let inner = rule
  while (inner instanceof z.core.$ZodType) {
    const { def } = inner._zod as {
      def: { type: string; innerType?: unknown; entries?: object }
    } // of any type
    if (def.entries !== undefined) return Object.values(def.entries)
    if (def.type === 'boolean') return [true, false]
    inner = def.innerType
  }
  return []
}

async function pivotsOf(link: PivotLink): Promise<readonly Row[]> {
  const columns = [...link.pivot]
  if (columns.length === 0) return []
  const names = columns.map(([, { name }]) => identifier('p', name))
  const order = identifier('p', link.relation.pivot.foreignKey)
  const rows = await read(
    link.source.database,
    sql`select ${join(names)} from ${pivotTable(link, 'p')} order by ${order} limit ${mostRows}`,
  )
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(([field, { decode }], at) => {
        const value = row[at] ?? null
        return [field, value === null || decode === null ? value : (decode(value) ?? value)]
      }),
    ),
  )
}

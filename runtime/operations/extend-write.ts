import type { Connection } from '../database/types.js'
import type { Access, Change, Extension, PlaceOf, Row, Within, Write } from '../model/entity.js'
import type { Resource } from '../model/resource.js'
import { answerHeaders } from '../model/resource.js'
import { join, type Sql, sql, table } from '../sql/sql.js'
import { heldRow, holdRecords } from './held-row.js'
import { gateConditions } from './row-gates.js'

/** Asks the extensions of a repository about one write, each in its turn. */

/** Makes the access of each record that one request writes. */
export function accessesOf(
  access: Access,
  writes: readonly Write[],
  placeOf: PlaceOf,
): readonly Access[] {
  const { extensions } = access
  if (extensions.every(({ ofWrites }) => ofWrites === undefined)) return writes.map(() => access)
  const made = extensions.map((each) => each.ofWrites?.(access, writes, placeOf) ?? [])
  if (made.every(({ length }) => length === 0)) return writes.map(() => access)
  return writes.map((_, at) => {
    const own = extensions.map((each, index) => made[index]?.[at] ?? each)
    return Object.assign({}, access, { extensions: own })
  })
}

/** Runs a write inside what extensions put around it, the first outermost. */
export function around<Done>(
  access: Access,
  write: Write,
  work: () => Promise<Done>,
): Promise<Done> {
  if (access.extensions.length === 0) return work()
  let run = work
  for (const extension of access.extensions.toReversed()) {
    if (extension.around === undefined) continue
    const inner = run
    run = async () => (await extension.around?.(access, write, inner)) as Done
  }
  return run()
}

/** Problems with a body that extensions find, by field. */
export async function checked(access: Access, write: Write): Promise<[string, string[]][]> {
  const problems: [string, string[]][] = []
  for (const extension of access.extensions) {
    problems.push(...((await extension.check?.(access, write)) ?? []))
  }
  return problems
}

/** Returns true if some extension reads other records before a write. */
export const isPrepared = ({ extensions }: Access): boolean =>
  extensions.some(({ prepare }) => prepare !== undefined)

/**
 * Lets extensions read other records. Returns true if a new record needs its key before it is
 * written.
 */
export async function prepare(access: Access, write: Write): Promise<boolean> {
  let needsKey = false
  for (const extension of access.extensions) {
    if ((await extension.prepare?.(access, write)) === true) needsKey = true
  }
  return needsKey
}

/** Adds the columns that follow from the values of a write. */
export function addColumns(access: Access, values: Row, write: Write): Row {
  for (const extension of access.extensions) {
    Object.assign(values, extension.columns?.(access, values, write))
  }
  return values
}

/**
 * Lists the conditions of extensions and field gates on rows that a write changes; empty: there are
 * none.
 */
export const admitted = (access: Access, write: Write): unknown[] => [
  ...gateConditions(access, write),
  ...access.extensions.flatMap((each) =>
    each.admits === undefined ? [] : [each.admits(access, write)],
  ),
]

/** Why a write does not change a record that the policy admits, and which extension says so. */
export function refusalOf(
  access: Access,
  write: Write,
  row: Row,
): { readonly error: Error; readonly extension: Extension } | null {
  for (const extension of access.extensions) {
    const error = extension.refusal?.(access, write, row) ?? null
    if (error !== null) return { error, extension }
  }
  return null
}

/** A record with those that were written with it. */
export async function withMade({ extensions }: Access, resource: Resource): Promise<Resource> {
  for (const { made } of extensions) {
    const related = (await made?.()) ?? {}
    if (Object.keys(related).length === 0) continue
    resource.relationships = Object.assign({}, resource.relationships, related)
  }
  return resource
}

/** A record with the headers of an answer that is this record alone. */
export function withHeaders({ extensions }: Access, resource: Resource): Resource {
  for (const extension of extensions) {
    if (extension.headers === undefined) continue
    const headers = Object.assign({}, resource[answerHeaders], extension.headers(resource))
    resource[answerHeaders] = headers
  }
  return resource
}

/** Lists the further assignments of an UPDATE of these columns. */
export const assignments = (
  { extensions, entity }: Access,
  columns: readonly string[],
  stored: readonly unknown[],
): Sql[] => extensions.flatMap((each) => each.assignments?.(columns, stored, entity) ?? [])

/** The parts of all extensions in the transaction of a write, as one. */
export interface Joined extends Required<Omit<Within, 'needsBefore' | 'holds' | 'write'>> {
  write(connection: Connection, row: Row): Promise<void>
}

/** Asks each extension for its part of the transaction of a write. */
export async function partsOf(access: Access, change: Change): Promise<readonly Within[]> {
  const parts: Within[] = []
  for (const extension of access.extensions) {
    const part = await extension.within?.(access, change)
    if (part !== null && part !== undefined) parts.push(part)
  }
  return parts
}

/** Joins the parts of all extensions; null: the write needs no transaction. */
export async function within(access: Access, change: Change): Promise<Joined | null> {
  const parts = await partsOf(access, change)
  if (parts.length === 0) return null
  const { entity } = access
  const { operation, id } = change
  const needsBefore = operation === 'update' && parts.some((part) => part.needsBefore === true)
  const holds = parts.flatMap((part) => part.holds ?? [])
  let before: Row | null = null
  return {
    needsRow: parts.some(({ needsRow }) => needsRow === true),
    begin: async (connection: Connection) => {
      const [gone] = holds.length === 0 ? [] : await holdRecords(holds, connection)
      if (gone !== undefined) throw gone.missing()
      if (needsBefore) before = await heldRow(entity, id, connection)
      for (const part of parts) await part.begin?.(connection)
    },
    write: async (connection: Connection, row: Row) => {
      for (const part of parts) await part.write(connection, row, before)
    },
    after: async () => {
      for (const part of parts) await part.after?.()
    },
  }
}

/** DELETE, or the UPDATE by which an extension lets a record be there no more. */
export function removalFrom(access: Access): Sql {
  const from = table(access.entity.table, 't0')
  for (const extension of access.extensions) {
    const removal = extension.remove?.(access) ?? null
    if (removal === null) continue
    return sql`update ${from} set ${join([removal, ...assignments(access, [], [])])}`
  }
  return sql`delete from ${from}`
}

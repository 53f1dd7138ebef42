import { type Connection, ConstraintError, type Database } from '../../database/types.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Entity, HasEntity } from '../../model/entity.js'
import { answerTest } from '../../policy/condition-sql.js'
import { asSql } from '../../policy/predicate.js'
import { identifier, raw, read, type Sql, sql, table, write } from '../../sql/sql.js'
import { type Link, linkOf, relatedOf, targetOf } from '../relations/entries.js'
import { joinTo } from '../relations/relation-sql.js'
import { findTrash, trashOf } from './trash-of.js'

interface PruneOptions {
  /** Gets a line for each repository. */
  readonly log: (line: string) => void
  /** Rows in one transaction, besides what went along with them. */
  readonly batch?: number
}

/**
 * Deletes for good what has been in the trash for longer than `keepDays`, with what went along with
 * it: no policy and no hook is asked. Rows that others must point at stay, and are counted. Others
 * may run it at once: on PostgreSQL each takes what nobody holds.
 */
export async function prune(
  repositories: Readonly<Record<string, HasEntity>>,
  { log, batch = 500 }: PruneOptions,
): Promise<void> {
  const all = Object.values(repositories).map(({ definition }) => definition)
  for (const entity of childrenFirst(all)) {
    const { keepDays } = findTrash(entity) ?? {}
    if (keepDays === undefined) continue
    const { gone, along, kept } = await pruned(entity, cutoffOf(keepDays), batch)
    const parts = [
      `${gone} deleted for good`,
      ...(along > 0 ? [`${along} that went along with them`] : []),
      ...(kept > 0 ? [`${kept} kept, because other records point at them`] : []),
    ]
    log(`${entity.key}: ${parts.join(', ')} (in the trash for more than ${keepDays} days)`)
  }
}

interface Pruned {
  readonly gone: number
  readonly along: number
  readonly kept: number
}

const cutoffOf = (keepDays: number) =>
  new Date(Date.now() - keepDays * 24 * 60 * 60 * 1000).toISOString()

/** Records that belong to others go before these. */
function childrenFirst(all: readonly Entity[]): readonly Entity[] {
  const ordered = new Set<Entity>()
  const seen = new Set<Entity>()
  const visit = (entity: Entity): void => {
    if (seen.has(entity)) return
    seen.add(entity)
    for (const other of all) if (pointsAt(other, entity)) visit(other)
    ordered.add(entity)
  }
  for (const entity of all) visit(entity)
  return [...ordered]
}

const pointsAt = (entity: Entity, other: Entity): boolean =>
  [...(relatedOf(entity)?.targets.values() ?? [])].some(
    (target) => target !== null && target().definition === other,
  )

async function pruned(entity: Entity, cutoff: string, batch: number): Promise<Pruned> {
  const { database } = entity
  let total: Pruned = { gone: 0, along: 0, kept: 0 }
  let after: Id | null = null
  for (;;) {
    const ids = await idsOf(database, entity, { cutoff, after, most: batch, lock: raw('') })
    after = ids.at(-1) ?? null
    if (after === null) return total
    const found = await removed(database, entity, ids, cutoff)
    total = sum(total, found ?? (await oneByOne(database, entity, ids, cutoff)))
  }
}

type Id = number | string

const sum = (one: Pruned, other: Pruned): Pruned => ({
  gone: one.gone + other.gone,
  along: one.along + other.along,
  kept: one.kept + other.kept,
})

/** Some of them cannot go: the others do. */
async function oneByOne(
  database: Database,
  entity: Entity,
  ids: readonly Id[],
  cutoff: string,
): Promise<Pruned> {
  let total: Pruned = { gone: 0, along: 0, kept: 0 }
  for (const id of ids) {
    const found = await removed(database, entity, [id], cutoff)
    total = sum(total, found ?? { gone: 0, along: 0, kept: 1 })
  }
  return total
}

/** In one transaction, children first; null: another record must point at one of them. */
async function removed(
  database: Database,
  entity: Entity,
  ids: readonly Id[],
  cutoff: string,
): Promise<Pruned | null> {
  try {
    return await database.transaction(async (connection) => {
      // Restored meanwhile, or another process has it.
      const lock = raw(connection.dialect === 'postgresql' ? ' for update skip locked' : '')
      const mine = await idsOf(connection, entity, { cutoff, among: ids, lock })
      if (mine.length === 0) return { gone: 0, along: 0, kept: 0 }
      const these = (alias: string) =>
        asSql({ entity }, answerTest(entity, { id: { in: mine } }, alias)).sql
      const along = await removeAlong(connection, entity, these)
      return { gone: await remove(connection, entity, these), along, kept: 0 }
    })
  } catch (error) {
    if (error instanceof ConstraintError && error.kind !== 'value') return null
    throw error
  }
}

/** A condition on the rows of a table that is called so. */
type Rows = (alias: string) => Sql

async function removeAlong(
  connection: Connection,
  entity: Entity,
  rows: Rows,
  depth = 0,
): Promise<number> {
  let count = 0
  for (const key of trashOf(entity).cascade) {
    const link = linkOf(entity, key)
    if (link === undefined) throw new TypeError(`${entity.key} has no '${key}' to take along`)
    const theirs: Rows = (alias) => along(link, rows, alias, `p${depth}`)
    count += await removeAlong(connection, targetOf(link), theirs, depth + 1)
    count += await remove(connection, targetOf(link), theirs)
  }
  return count
}

/** Selects the rows that went into the trash with the record that they belong to. */
function along(link: Link, rows: Rows, child: string, parent: string): Sql {
  const { source } = link
  const at = (entity: Entity, alias: string) =>
    identifier(alias, columnNamed(entity, trashOf(entity).absence).name)
  const isSame = sql`${at(targetOf(link), child)} = ${at(source, parent)}`
  const { on } = joinTo(link, parent, child, '')
  return sql`exists (select 1 from ${table(source.table, parent)} where ${rows(parent)} and ${on} and ${isSame})`
}

async function remove(connection: Connection, entity: Entity, rows: Rows): Promise<number> {
  const from = sql`delete from ${table(entity.table, 't0')} where ${rows('t0')}`
  return (await write(connection, sql`${from} returning ${identifier(entity.id.name)}`)).length
}

interface Asked {
  readonly cutoff: string
  readonly lock: Sql
  readonly after?: Id | null
  readonly among?: readonly Id[]
  readonly most?: number
}

/** Lists the rows that have been in the trash since before `cutoff`, in the order of keys. */
async function idsOf(
  connection: Connection,
  entity: Entity,
  { cutoff, lock, after = null, among, most }: Asked,
): Promise<readonly Id[]> {
  const { id } = entity
  const absence = columnNamed(entity, trashOf(entity).absence)
  const [key, at] = [identifier('t0', id.name), identifier('t0', absence.name)]
  // SQLite's own instants (`datetime('now')`) have another form than those of the server.
  const isOld =
    connection.dialect === 'sqlite'
      ? sql`julianday(${at}) < julianday(${cutoff})`
      : sql`${at} < ${absence.encode(cutoff)}`
  const beyond = after === null ? raw('') : sql` and ${key} > ${id.encode(after)}`
  const only = among === undefined ? null : answerTest(entity, { id: { in: among } }, 't0')
  const these = only === null ? raw('') : sql` and ${asSql({ entity }, only).sql}`
  const first = most === undefined ? raw('') : sql` limit ${most}`
  const query = sql`select ${key} from ${table(entity.table, 't0')}
    where ${isOld}${beyond}${these} order by ${key}${first}${lock}`
  const found = await read(connection, query)
  return found.map(([value]) => value as Id) // of every row
}

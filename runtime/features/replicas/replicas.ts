import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import type { Caller } from '../../database/caller.js'
import {
  openPool,
  type PostgresDatabase,
  type PostgresOptions,
} from '../../database/postgres/open.js'
import { isRead, type ServerVariables } from '../../http/context.js'
import { skipped } from '../../http/direct.js'
import type { Log } from '../../http/log.js'
import type { Sql } from '../../sql/sql.js'
import { everybody, notePosition, positionOfUser, readerOf } from './positions.js'
import { answerMs, PrimaryLog } from './primary-log.js'
import { lookMs, Replica } from './replica.js'
import { Route } from './route.js'

interface ReplicasOptions {
  readonly database: PostgresDatabase
  readonly log: Pick<Log, 'info' | 'warn'>
  /** DATABASE_URL. */
  readonly primary: string
  /** DATABASE_REPLICA_URLS. */
  readonly urls: readonly string[]
  /** DATABASE_REPLICA_LAG_MS. */
  readonly lagMs: number
  /** DATABASE_REPLICA_KNOWS. */
  readonly knows: 'own' | 'changes' | 'all'
  /** Options of each replica. */
  readonly pool: PostgresOptions
}

export interface Replicas {
  /** Says where a request reads, and notes that one wrote. */
  readonly request: MiddlewareHandler<{ Variables: ServerVariables<unknown> }>
  /**
   * What was committed before is found by everybody who reads from now on: in `afterUpdate` or
   * `afterStore`, where a write takes rights away that others have.
   */
  forEverybody(): Promise<void>
  /** Read with a token: what its user wrote last. */
  readonly also: {
    readonly select: Sql
    readonly found: (c: object, value: unknown) => void
  } | null
  readonly watched: readonly Replica[]
  close(): Promise<void>
}

/**
 * Sends what requests read that only read (GET, HEAD, queries of GraphQL) to replicas in turn, each
 * to one that has all that its user wrote. Tokens, transactions, `db` and `prisma` stay with the
 * primary, and so does everything while no replica can be read from.
 */
export function createReplicas(options: ReplicasOptions): Replicas {
  const { database, urls, log, knows } = options
  if (urls.length === 0) return none
  const { watched, close } = watch(options)
  const choose = chooser(watched)
  const hasAny = () => watched.some(({ fault }) => fault === null)
  const routes = new WeakMap<Caller, Route>()
  const asked = new WeakMap<object, Route>()
  database.readElsewhere((statement, values, caller, here) => {
    const route = routes.get(caller)
    return route === undefined ? here() : route.read(statement, values, caller, here)
  })
  const request: Replicas['request'] = async (c, next) => {
    const requestId = c.get('requestId')
    const reader = () => readerOf(c.get('user'))
    const route = new Route({ database, log, requestId, reader, choose, hasAny })
    asked.set(c, route)
    let onlyReads = false
    c.set('reads', (caller) => {
      onlyReads = true
      routes.set(caller, route)
    })
    await next()
    if (onlyReads || !mayHaveWritten(c)) return
    const isForAll = knows === 'all' || (knows === 'changes' && !isNews(c))
    await notePosition(database, isForAll ? everybody : reader()).catch((error: unknown) => {
      log.warn({ requestId, err: error }, 'what was written may be missed in replicas for a moment')
    })
  }
  const found = (c: object, value: unknown): void => {
    const route = asked.get(c)
    if (route !== undefined) route.position = value ?? 0
  }
  const forEverybody = () => notePosition(database, everybody)
  return { request, also: { select: positionOfUser, found }, forEverybody, watched, close }
}

const none: Replicas = {
  request: skipped(),
  also: null,
  forEverybody: async () => {},
  watched: [],
  close: async () => {},
}

/**
 * In turn one of those that have the log up to a position. What was written a moment ago may be
 * there since the last look, so they are asked before it is read in the primary.
 */
function chooser(watched: readonly Replica[]) {
  let turn = 0
  const next = (all: readonly Replica[]) => all[(turn += 1) % all.length] ?? null
  return async (position: number): Promise<Replica | null> => {
    const healthy = watched.filter(({ fault }) => fault === null)
    const able = () => healthy.filter((each) => each.fault === null && each.position >= position)
    const known = next(able())
    if (known !== null || healthy.length === 0) return known
    await Promise.race(healthy.map((each) => each.update()))
    return next(able())
  }
}

/** A denied request wrote nothing. Signing in writes a token, which no replica is asked for. */
function mayHaveWritten(c: Context): boolean {
  const { req, res } = c
  if (isRead(c) || req.method === 'OPTIONS' || req.path === '/api/login') return false
  return res.status < 400 || res.status >= 500
}

/**
 * A new record takes nothing away that somebody saw. All else may: a row is hidden or deleted, a
 * member removed, and whoever reads a replica that does not know it yet sees what is theirs no more.
 * (`attach` is 201 as well, and may change pivots that are there.)
 */
const isNews = ({ req, res }: Context): boolean =>
  req.method === 'POST' && res.status === 201 && !/\/attach\/[^/]+$/.test(req.path)

/** Looks again and again where the primary and its replicas stand. */
function watch({ primary, urls, lagMs, pool, log }: ReplicasOptions) {
  const looks = openPool(primary, { max: 1, connectionTimeoutMs: answerMs })
  const primaryLog = new PrimaryLog(looks, 2 * lagMs)
  const watched = urls.map((url) => {
    const name = new URL(url).host
    return new Replica({ name, url, log: primaryLog, lagMs, pool })
  })
  const closing = new AbortController()
  const { signal } = closing
  const again = async (look: () => Promise<number>): Promise<void> => {
    while (!signal.aborted) {
      const ms = await look()
      await sleep(ms, undefined, { ref: false, signal }).catch(() => {})
    }
  }
  void again(() =>
    primaryLog.look().then(
      () => lookMs,
      () => answerMs, // its own statements fail, and say why
    ),
  )
  for (const replica of watched) {
    let said = replica.fault
    void again(async () => {
      await replica.look()
      if (replica.fault !== said && !signal.aborted) report(replica, log)
      said = replica.fault
      return replica.nextMs
    })
  }
  const close = async () => {
    closing.abort()
    await Promise.all([looks.end(), ...watched.map((replica) => replica.close())])
  }
  return { watched, close }
}

function report({ fault, options }: Replica, log: ReplicasOptions['log']): void {
  const { name: replica } = options
  if (fault === null) log.info({ replica }, 'reads from a replica')
  else log.warn({ replica, fault }, 'does not read from a replica')
}

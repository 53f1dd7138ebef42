import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import type { Caller } from '../../database/caller.js'
import {
  openPool,
  type PostgresDatabase,
  type PostgresOptions,
} from '../../database/postgres/open.js'
import type { ServerVariables } from '../../http/context.js'
import type { Log } from '../../http/log.js'
import type { Sql } from '../../sql/sql.js'
import { notePosition, positionOfUser, readerOf } from './positions.js'
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
  /** Of each replica. */
  readonly pool: PostgresOptions
}

export interface Replicas {
  /** Says where a request reads, and notes that one wrote. */
  readonly request: MiddlewareHandler<{ Variables: ServerVariables<unknown> }>
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
  const { database, urls, log } = options
  if (urls.length === 0) {
    return { request: (_, next) => next(), also: null, watched: [], close: async () => {} }
  }
  const { watched, close } = watch(options)
  let turn = 0
  const choose = (position: number): Replica | null => {
    const able = watched.filter((each) => each.fault === null && each.position >= position)
    return able[(turn += 1) % able.length] ?? null
  }
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
    await notePosition(database, reader()).catch((error: unknown) => {
      log.warn({ requestId, err: error }, 'what was written may be missed in replicas for a moment')
    })
  }
  const found = (c: object, value: unknown): void => {
    const route = asked.get(c)
    if (route !== undefined) route.position = value ?? 0
  }
  return { request, also: { select: positionOfUser, found }, watched, close }
}

/** What was denied wrote nothing. Signing in writes a token, which no replica is asked for. */
function mayHaveWritten({ req, res }: Context): boolean {
  if (/^(GET|HEAD|OPTIONS)$/.test(req.method) || req.path === '/api/login') return false
  return res.status < 400 || res.status >= 500
}

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
    void again(async () => {
      const before = replica.fault
      await replica.look()
      if (replica.fault !== before && !signal.aborted) report(replica, log)
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

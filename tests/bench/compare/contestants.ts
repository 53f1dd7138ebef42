import { postgraphileCalls } from './calls/postgraphile.js'
import { resourceCalls } from './calls/resources.js'
import { feathersCalls, nestCalls, zenstackCalls } from './calls/rows.js'
import { databaseNames, type DatabaseName } from './options.js'
import type { Calls } from './work.js'

export interface Contestant {
  readonly name: string
  readonly title: string
  /** In tests/bench/contestants; null: the emitted server. */
  readonly folder: string | null
  readonly databases: readonly DatabaseName[]
  /** True: the emitted server of a project as `svc new` makes it. */
  readonly isNew?: true
  readonly env?: Readonly<Record<string, string>>
  readonly calls: Calls
  /** Explains a figure that is not like the others: a smaller answer, a missing work item. */
  readonly note?: string
}

export const contestants: readonly Contestant[] = [
  {
    name: 'svc',
    title: 'svc, the emitted server',
    folder: null,
    databases: databaseNames,
    calls: resourceCalls,
    note: 'answers with links, rights and security headers; on SQLite a total stands until somebody commits, which each request asks',
  },
  {
    name: 'new',
    title: 'svc, a project as `svc new` makes it',
    folder: null,
    isNew: true,
    databases: databaseNames,
    calls: resourceCalls,
    note: 'the same server with all of `reads`, and with versions and a trash for posts',
  },
  {
    name: 'bare',
    title: 'Hono by hand, bare',
    folder: 'hono',
    databases: databaseNames,
    calls: resourceCalls,
    note: 'prepared SQL on the driver, plain objects, `c.json`, graphql-js with DataLoader and its documents cached; the same answers as svc, without its headers, request id, body limit',
  },
  {
    name: 'headers',
    title: 'Hono by hand, same headers',
    folder: 'hono',
    databases: databaseNames,
    env: { BENCH_HEADERS: '1' },
    calls: resourceCalls,
    note: "the same server with Hono's own middleware for those",
  },
  {
    name: 'kysely',
    title: 'Hono with Kysely',
    folder: 'kysely',
    databases: databaseNames,
    calls: resourceCalls,
    note: 'bare, with Kysely for the SQL',
  },
  {
    name: 'prisma',
    title: 'Hono with Prisma',
    folder: 'prisma',
    databases: databaseNames,
    calls: resourceCalls,
    note: 'bare, with Prisma for the SQL',
  },
  {
    name: 'postgraphile',
    title: 'PostGraphile 5',
    folder: 'postgraphile',
    databases: ['postgresql'],
    calls: postgraphileCalls,
    note: 'PostgreSQL and GraphQL only, so everything is GraphQL; row level security; its answers lack links and rights',
  },
  {
    name: 'zenstack',
    title: 'ZenStack 3',
    folder: 'zenstack',
    databases: databaseNames,
    calls: zenstackCalls,
    note: 'its JSON:API in Hono, policies in its schema; include through its RPC handler, without a total, for the other does not bound what is included; no GraphQL',
  },
  {
    name: 'feathers',
    title: 'Feathers 5 with Knex',
    folder: 'feathers',
    databases: databaseNames,
    calls: feathersCalls,
    note: 'plain rows without links and rights; it has neither includes nor GraphQL',
  },
  {
    name: 'nest',
    title: 'Nest with Prisma',
    folder: 'nest',
    databases: databaseNames,
    calls: nestCalls,
    note: 'on Express, GraphQL by Apollo; plain rows without links and rights',
  },
]

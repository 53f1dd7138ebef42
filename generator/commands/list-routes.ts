import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblems } from '../blueprint/problems.js'
import type { Blueprint } from '../blueprint/types.js'
import type { ReadText, Served } from '../plan/served-routes.js'
import {
  apiPath,
  documentRoute,
  healthRoutes,
  metricsRoute,
  routesOf,
  usualApi,
  type Route,
} from '../plan/server-routes.js'
import { targetAt } from '../write/target.js'
import { exitCodes } from './failure.js'
import { readGraphql } from './graphql-facts.js'
import { readersOfDocument } from './openapi-facts.js'
import { readBlueprint } from './read-blueprint.js'

/** What routes/ says and svc does not run: where, and how the line begins. */
interface Unread {
  readonly method: null
  readonly path: null
  readonly controller: string
  readonly policy: null
  readonly unread: string
}

// `inspectRoutes` of hono/dev wants a server that runs: its packages installed, its environment set. Nor does it know policies.

/** What the server serves: the manifest says what a repository has, the files in routes/ what is registered. */
export async function listRoutes(
  root: string,
): Promise<{ lines: readonly string[]; json: object; exitCode: number }> {
  const read = await readBlueprint(root)
  if ('problems' in read) {
    const { problems } = read
    return { lines: [formatProblems(problems)], json: { problems }, exitCode: exitCodes.problems }
  }
  const { blueprint } = read
  const asked = await readGraphql(root, blueprint)
  const hasGraphql = 'graphql' in asked && asked.graphql.settings.enabled
  const hasDocument = (await readersOfDocument(targetAt(root), blueprint)) !== 'off'
  const all = [
    ...(await routesOfFile(root, apiFile, blueprint)),
    ...healthRoutes.map(listed),
    ...(blueprint.metrics === true ? [listed(metricsRoute)] : []),
    ...(hasDocument ? [listed(documentRoute)] : []),
    ...(hasGraphql ? await routesOfFile(root, graphqlFile, blueprint) : []),
  ]
  const routes = all.filter((each): each is Route => !isUnread(each))
  const unread = all.filter(isUnread)
  return { lines: [...table(routes), ...unreadLines(unread)], json: all, exitCode: exitCodes.done }
}

interface RoutesFile {
  readonly path: string
  /** The variable that holds the routes, and where the server mounts it. */
  readonly name: string
  readonly below: string
  /** What svc writes there. */
  readonly usual: (blueprint: Blueprint) => readonly Served[]
}

const apiFile: RoutesFile = {
  path: 'routes/api.ts',
  name: 'api',
  below: apiPath,
  usual: usualApi,
}

const graphqlFile: RoutesFile = {
  path: 'routes/graphql.ts',
  name: 'graphql',
  below: '/graphql',
  usual: () => [{ is: 'svcGraphql', below: '' }],
}

async function routesOfFile(
  root: string,
  { path, name, below, usual }: RoutesFile,
  blueprint: Blueprint,
): Promise<readonly (Route | Unread)[]> {
  const read = readerIn(root)
  if (read(path) === null) {
    return usual(blueprint).flatMap((served) => routesRead(served, below, blueprint))
  }
  const { servedRoutes } = await import('../plan/served-routes.js')
  const served = servedRoutes(path, name, read)
  if (served === null) return [unread(path, 'it is no TypeScript')]
  return served.flatMap((each) => routesRead(each, below, blueprint))
}

const readerIn =
  (root: string): ReadText =>
  (path) => {
    try {
      return readFileSync(join(root, path), 'utf8')
    } catch {
      return null
    }
  }

function routesRead(
  served: Served,
  base: string,
  blueprint: Blueprint,
): readonly (Route | Unread)[] {
  if (served.is === 'unread') return [unread(served.place, served.text)]
  return routesOf(served, base, blueprint).map(listed)
}

const listed = ({ method, path, controller, policy }: Route): Route => {
  return { method, path, controller, policy }
}

const isUnread = (each: Route | Unread): each is Unread => 'unread' in each

const unread = (controller: string, text: string): Unread => {
  return { method: null, path: null, controller, policy: null, unread: text }
}

/** One line for all that is not in the list. */
function unreadLines(unread: readonly Unread[]): readonly string[] {
  if (unread.length === 0) return []
  const places = unread.map(({ controller, unread: text }) => `${controller} ${text}`)
  return ['', `Not listed, because svc does not run them: ${[...new Set(places)].join('; ')}`]
}

function table(routes: readonly Route[]): readonly string[] {
  const rows = routes.map(({ method, path, controller, policy }) => {
    return [method, path, controller, policy ?? '-']
  })
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

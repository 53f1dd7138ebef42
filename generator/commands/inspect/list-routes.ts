import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblems } from '../../blueprint/problems.js'
import type { Blueprint } from '../../blueprint/types.js'
import { describeProject } from '../../plan/describe-project.js'
import type { Project } from '../../plan/project.js'
import { ownRoutes } from '../../plan/routes/own-routes.js'
import type { Route, RoutesFile } from '../../plan/routes/routes.js'
import type { ReadText, Served } from '../../plan/routes/served-routes.js'
import { apiFile, healthRoutes, routesOf, usualRoutes } from '../../plan/routes/server-routes.js'
import { targetAt } from '../../write/target.js'
import type { Features } from '../context.js'
import { exitCodes } from '../failure.js'
import { readConfigs } from '../feature-facts.js'
import { readBlueprint } from '../read-blueprint.js'

/** A line of routes/ that svc does not run: its place, and how it begins. */
interface Unread {
  readonly method: null
  readonly path: null
  readonly controller: string
  readonly policy: null
  readonly unread: string
}

// `inspectRoutes` of hono/dev wants a server that runs: its packages installed, its environment set. Nor does it know policies.

/** Lists the routes of the server: from the manifest, and from the files in routes/. */
export async function listRoutes(
  root: string,
  all: Features,
): Promise<{ lines: readonly string[]; json: object; exitCode: number }> {
  const read = await readBlueprint(root, all)
  if ('problems' in read) {
    const { problems } = read
    return { lines: [formatProblems(problems)], json: { problems }, exitCode: exitCodes.problems }
  }
  const { blueprint } = read
  const { facts, unread: unreadConfigs } = await readConfigs(root, all, blueprint)
  const described = describeProject(blueprint, all, { name: '', svckit: '', facts })
  const served = described.features.filter(({ name }) => !unreadConfigs.includes(name))
  const features = await answered(root, blueprint, served)
  const project = { ...described, features }
  const [apiRoutes, ...others] = await Promise.all(
    [apiFile, ...project.features.flatMap(({ routesFile }) => routesFile ?? [])].map((file) =>
      routesOfFile(root, file, project),
    ),
  )
  const found = [
    ...(apiRoutes ?? []),
    ...healthRoutes.map(listed),
    ...ownRoutes(project).map(listed),
    ...others.flat(),
  ]
  const routes = found.filter((each): each is Route => !isUnread(each))
  const unread = found.filter(isUnread)
  return {
    lines: [...table(routes), ...unreadLines(unread)],
    json: found,
    exitCode: exitCodes.done,
  }
}

/** Features whose routes the server answers, as far as config/ says. */
async function answered(root: string, blueprint: Blueprint, features: Features): Promise<Features> {
  const isServed = await Promise.all(
    features.map(
      async ({ reader }) => (await reader?.isServed?.(targetAt(root), blueprint)) ?? true,
    ),
  )
  return features.filter((_, at) => isServed[at] === true)
}

async function routesOfFile(
  root: string,
  file: RoutesFile,
  project: Project,
): Promise<readonly (Route | Unread)[]> {
  const { path, name, below } = file
  const read = readerIn(root)
  if (read(path) === null) return usualRoutes(file, project).map(listed)
  const { servedRoutes } = await import('../../plan/routes/served-routes.js')
  const served = servedRoutes(path, name, read)
  if (served === null) return [unread(path, 'it does not parse as TypeScript')]
  return served.flatMap((each) => routesRead(each, below, project))
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

function routesRead(served: Served, base: string, project: Project): readonly (Route | Unread)[] {
  const routes = served.is === 'unread' ? null : routesOf(served, base, project)
  if (routes !== null) return routes.map(listed)
  return served.is === 'own' ? [] : [unread(served.place, served.text)]
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

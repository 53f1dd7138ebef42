import type { Project } from '../project.js'
import type { Slots } from '../render/slots.js'
import { isLarge } from './fields/large.js'

/** For files that are nearly the same in every project. */
export interface ProjectView {
  readonly name: string
  readonly isSqlite: boolean
  readonly hasAuth: boolean
  /** The files of `runtime/` are in it. */
  readonly ownsRuntime: boolean
  /** package.json asks for the runtime as a tarball in `vendor/`. */
  readonly hasVendor: boolean
  /** package.json asks for svckit by a path, as long as it is not published. */
  readonly isSvckitLocal: boolean
  /** So many repositories that routes are looked up in another way. */
  readonly isLarge: boolean
  /** The config asks for them. */
  readonly hasStrictQueries: boolean
  readonly hasStrictBodies: boolean
  /** Of the server in compose.yaml, each with its value. */
  readonly composeEnvironment: readonly string[]
  readonly slots: Slots
}

export function projectView(project: Project): ProjectView {
  const { name, isSqlite, auth, svckit, runtime } = project
  const { hasStrictQueries = false, hasStrictBodies = false } = project
  return {
    name,
    isSqlite,
    hasAuth: auth !== null,
    ownsRuntime: runtime === null,
    hasVendor: runtime !== null && runtime.startsWith('file:'),
    isSvckitLocal: svckit.startsWith('file:'),
    isLarge: isLarge(project),
    hasStrictQueries,
    hasStrictBodies,
    composeEnvironment: composeEnvironment(project),
    slots: project.slots,
  }
}

/** What .env.example names, but for what compose.yaml decides itself; empty counts as unset. */
function composeEnvironment({ isSqlite, slots }: Project): readonly string[] {
  const own = ['APP_URL', 'LOG_LEVEL', 'MIGRATE_ON_START']
  const lines = [
    ...(isSqlite ? [] : slots.env_example_database),
    ...slots.env_example,
    ...slots.env_example_last,
  ]
  const named = lines.flatMap((line) => /^(?:# )?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? [])
  const said = new Set(slots.compose_environment.map((line) => line.split(':', 1)[0]))
  const names = new Set([...own, ...(isSqlite ? [] : ['DATABASE_POOL']), ...named])
  const passed = [...names].filter((name) => !said.has(name))
  return [...slots.compose_environment, ...passed.map((name) => `${name}: \${${name}:-}`)]
}

import type { Import } from './imports.js'

/**
 * Places of core templates where features have lines; a test finds each of them in a template. Features stand there in the order
 * of their list. What their lines import is data, by the file they stand in.
 */
export const slots = [
  // app/app.ts; only traces begin before a request is logged, and only what counts requests right after it
  'app_before_log',
  'app_after_log',
  'app_after_cors',
  'app_before_routes',
  // only the page for Prometheus is answered before a request is limited
  'app_routes_first',
  'app_routes',
  // app/settings.ts: what other repositories go by, and signing in
  'settings_exports',
  // app/Http/resources.ts: what is put around all that write
  'resources_around',
  // only a search goes through several repositories
  'resources_routes',
  // only what reads a body in place of a query stands before all that asks
  'resources_first',
  // app/Http/auth.ts: only a dry run is refused before each route of signing in
  'auth_before',
  // app/Models.ts: what policies and hooks are besides
  'models_policy_types',
  'models_hook_types',
  // what the context of hooks is besides, and types of the feature's own
  'models_hook_context',
  'models_last',
  // app/server.ts: only folded columns are filled at the start
  'server_start',
  'server_close_before',
  // only traces tell of the database's end, too
  'server_close_after',
  // app/database.ts: only threads change how SQLite is opened, and what is said of that
  'sqlite_remark',
  'sqlite_options',
  // only transactions are put around the database and Prisma's client
  'database_opened',
  'prisma_around',
  // tests/repositories.ts: only tests of values have values, and only those of policies decisions
  'tested_values',
  'tested_last',
  // app/env.ts: variables, each with its schema; only proxies stand behind those of signing in
  'env_variables',
  'env_variables_last',
  // app/Http/middleware.ts: only replicas read something with a token
  'middleware_token',
  // config/svc.ts: objects beside `config`
  'config_exports',
  // limits of its own
  'config_limits',
  // the page about the API: only GraphQL has another page to lead to
  'docs_options',
  // package.json: only a trash has something to run now and then
  'package_scripts',
] as const

/** Slots of each repository's files, in the order of the list. */
export const entitySlots = [
  // app/Repositories: what takes part in reading and writing
  'repository_extensions',
  // app/Http/Controllers: routes, those that `/:id` would take first
  'controller_routes_first',
  // only a file is another answer to a list
  'controller_index',
  'controller_routes',
  // app/Models.ts: only actions are members of a repository's model
  'model_members',
  // app/Policies: methods, each indented and with its remark
  'policy_methods',
  // app/Hooks: only hooks inside the transaction have another type
  'hooks_type',
  // tests/repositories.ts: only tests of values try values
  'tested_fields',
] as const

export type Slot = (typeof slots)[number]
export type EntitySlot = (typeof entitySlots)[number]

/**
 * Imports of the features' lines, by the file they are in; `Name` stands for the repository's name.
 */
export type Imports = Readonly<Record<string, readonly Import[]>>

interface WithImports {
  readonly imports: Imports
}

/** Lines by their place. */
export type Slots = Readonly<Record<Slot, readonly string[]>> & WithImports
export type EntitySlots = Readonly<Record<EntitySlot, readonly string[]>> & WithImports

/** Collects the features' lines for each slot. */
export const fillSlots = (given: readonly Partial<Slots>[]): Slots => filled(slots, given)

/** Collects their lines for one repository. */
export const fillEntitySlots = (given: readonly Partial<EntitySlots>[]): EntitySlots =>
  filled(entitySlots, given)

type Lines<Place extends string> = Readonly<Record<Place, readonly string[]>> & WithImports

function filled<Place extends string>(
  places: readonly Place[],
  given: readonly Partial<Lines<Place>>[],
): Lines<Place> {
  const lines = places.map((place) => [place, given.flatMap((each) => each[place] ?? [])])
  const imports: Record<string, readonly Import[]> = {}
  for (const each of given) {
    const own: Imports = each.imports ?? {}
    for (const [file, more] of Object.entries(own)) {
      imports[file] = [...(imports[file] ?? []), ...more]
    }
  }
  // Each of them is there.
  return { ...Object.fromEntries(lines), imports } as Lines<Place>
}

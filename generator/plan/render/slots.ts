/**
 * Places of core templates where features have lines; a test finds each of them in a template. Features stand there in the order
 * of their list; imports in that of what they import.
 */
export const slots = [
  // app/app.ts
  'app_imports_config',
  'app_imports_routes',
  'app_imports_runtime',
  'app_imports',
  'app_before_log',
  'app_after_log',
  'app_after_cors',
  'app_before_routes',
  'app_routes_first',
  'app_routes',
  // app/Http/resources.ts: what is put around all that write, and routes of no one repository; `first` is before all that asks
  'resources_imports',
  'resources_imports_last',
  'resources_around',
  'resources_routes',
  'resources_imports_first',
  'resources_first',
  // app/Http/auth.ts: what is put before each route of signing in
  'auth_imports',
  'auth_before',
  // app/Models.ts: what policies and hooks are besides
  'models_imports',
  'models_policy_types',
  'models_hook_types',
  // what the context of hooks is besides, and types of the feature's own
  'models_hook_context',
  'models_last',
  // app/server.ts; what is closed stands before or after the database
  'server_imports_runtime',
  'server_imports_first',
  'server_imports',
  'server_start',
  'server_close_before',
  'server_close_after',
  // app/database.ts: how SQLite is opened, and what is said of that
  'sqlite_imports',
  'sqlite_remark',
  'sqlite_options',
  // what is done with the database when it is open, and what is put around Prisma's client
  'database_imports',
  'database_opened',
  'prisma_imports',
  'prisma_around',
  // tests/repositories.ts: what the values of fields share, and what is decided besides
  'tested_imports_first',
  'tested_imports',
  'tested_values',
  'tested_last',
  // app/env.ts: variables, each with its schema
  'env_imports',
  'env_imports_last',
  'env_variables',
  'env_variables_last',
  // app/Http/middleware.ts: options of what reads tokens
  'middleware_imports',
  'middleware_token',
  // config/svc.ts: objects beside `config`
  'config_imports',
  'config_imports_last',
  'config_exports',
  // limits of its own
  'config_limits',
  // .env.example
  'env_example_database',
  'env_example',
  'env_example_last',
  // README.md: variables that production needs, as a shell takes them; rows of what can be changed about policies, and what is said of reviewing them;
  // what there is to run; what says how large pages are; rows of what can be changed besides, and of what can be asked
  'readme_settings',
  'readme_policies',
  'readme_operate',
  'readme_review',
  'readme_page_size',
  'readme_change',
  'readme_routes',
  'readme_routes_last',
  // AGENTS.md: rows of what is whose, below policies
  'agents_policies',
  // the page about the API: what it shows besides
  'docs_imports',
  'docs_options',
  // package.json
  'package_scripts',
  // Dockerfile: what the server reads besides its build
  'docker_copies',
  // compose.yaml: variables of the server
  'compose_environment',
] as const

/** The same, of each repository; there all stands in the order of the list. */
export const entitySlots = [
  // app/Repositories: what takes part in reading and writing, and options of the repository
  'repository_imports',
  'repository_imports_app',
  'repository_extensions',
  'repository_options',
  // app/Http/Controllers: routes, those that `/:id` would take first
  'controller_imports',
  'controller_routes_first',
  'controller_index',
  'controller_routes',
  // app/Policies: methods, each indented and with its remark
  'policy_methods',
  // app/Hooks: the type of the hooks
  'hooks_type',
  // tests/repositories.ts: values that are tried
  'tested_fields',
] as const

export type Slot = (typeof slots)[number]
export type EntitySlot = (typeof entitySlots)[number]

/** Lines by their place. */
export type Slots = Readonly<Record<Slot, readonly string[]>>
export type EntitySlots = Readonly<Record<EntitySlot, readonly string[]>>

/** What features say at each place. */
export const fillSlots = (given: readonly Partial<Slots>[]): Slots =>
  filled(slots, given, (slot, groups) =>
    slot.includes('_imports') ? groups.toSorted(byImport) : groups,
  )

/** What they say of one repository. An import that several need stands once. */
export const fillEntitySlots = (given: readonly Partial<EntitySlots>[]): EntitySlots =>
  filled(entitySlots, given, (slot, groups) =>
    slot.includes('_imports') ? [[...new Set(groups.flat())]] : groups,
  )

type Lines<Place extends string> = Readonly<Record<Place, readonly string[]>>

/** Lines of one feature are a group. */
type Groups = readonly (readonly string[])[]

function filled<Place extends string>(
  places: readonly Place[],
  given: readonly Partial<Lines<Place>>[],
  inOrder: (place: Place, groups: Groups) => Groups,
): Lines<Place> {
  const lines: Partial<Record<Place, readonly string[]>> = {}
  for (const place of places) {
    const groups = given.map((each) => each[place] ?? [])
    lines[place] = inOrder(place, groups).flat()
  }
  return lines as Lines<Place> // each of them
}

const byImport = ([one = '']: readonly string[], [other = '']: readonly string[]) =>
  moduleOf(one) < moduleOf(other) ? -1 : 1

/** Lines of imports in the order of what they import. */
export const sortedImports = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) => [line])
    .toSorted(byImport)
    .flat()

const moduleOf = (line: string) => line.slice(line.lastIndexOf(' from ')).toLowerCase()

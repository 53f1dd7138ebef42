import { projectScript } from '../../../load/project-script.js'
import { borrowedRuntime } from '../../../write/project/borrowed-runtime.js'
import { fewerModules } from '../../../write/project/fewer-modules.js'
import { runtimeForm } from '../../../write/project/runtime-form.js'
import { at, type Target } from '../../../write/target.js'
import { type PolicyPlaces, toldPolicies } from './policy-places.js'
import { type RefFiles, refModules } from './ref-files.js'
import { hasRoles, rolesModule, rolesPath } from './roles-module.js'

const answering = 'runtime/features/explain/serve'

/** The state that the policies here are compared with. */
export interface Compared {
  /** Files of `app/` as they were. */
  readonly before: RefFiles
  /** True if the users are those of `tests/roles.ts`. */
  readonly isOfRoles: boolean
}

/**
 * One script of the project's policies and the code that asks them. Where the runtime is the project's own, it has that code only as far
 * as it imports it: svc brings what is missing, which then runs on the project's files.
 */
export function explainScript(
  target: Target,
  compared: Compared | null,
  told: PolicyPlaces | null,
): Promise<string> {
  const isAsked = compared?.isOfRoles === true && hasRoles(target)
  const plugins = [
    ...(compared === null ? [] : [refModules(target.root, compared.before)]),
    ...(isAsked ? [rolesModule(target)] : []),
    ...(told === null ? [] : [toldPolicies(target.root, told)]),
    ...(runtimeForm(target) === 'own' ? [borrowedRuntime(target.root)] : []),
    ...fewerModules(target),
  ]
  return projectScript(target.root, textOf(target, compared !== null, isAsked, told), plugins)
}

// A wrong set-up is one sentence on stderr from the first import on.
function textOf(
  target: Target,
  isCompared: boolean,
  isOfRoles: boolean,
  told: PolicyPlaces | null,
): string {
  const signsIn = target.files.kind(at(target, 'app/auth.ts')) === 'file'
  const before = isCompared
    ? "Object.values((await import('ref:app/Repositories/index.ts')).repositories)"
    : '[]'
  const roles = isOfRoles ? `(await import('./${rolesPath}')).roles` : 'null'
  return `
await import('#runtime/failures.js')
const { database } = await import('./app/database.ts')
const { repositories } = await import('./app/Repositories/index.ts')
const users = ${signsIn ? "(await import('./app/auth.ts')).users ?? null" : 'null'}
const { serveExplain } = await import('#${answering}.js')
serveExplain({ database, repositories: Object.values(repositories), before: ${before}, users, roles: ${roles}, places: ${JSON.stringify(told?.places ?? {})} })
`
}

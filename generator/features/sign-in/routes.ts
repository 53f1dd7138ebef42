import type { KnownRoute, Lists, Registration, Routed } from '../../plan/routes/routes.js'
import { apiFile } from '../../plan/routes/server-routes.js'
import { authActions } from './actions.js'

export const signInRoutes: Registration = {
  name: 'svcAuth',
  file: apiFile.path,
  routes: (below, project, options) => {
    const actions = actionsOf(options)
    return actions === null ? null : routesOf(below, project, actions)
  },
}

/** The actions that a call lists, or all; null: it says something else. */
function actionsOf(options: Lists | null): readonly string[] | null {
  if (options === null || Object.keys(options).some((name) => name !== 'actions')) return null
  const all = authActions.map(({ action }) => action)
  const { actions = all } = options
  return actions.every((name) => all.some((action) => action === name)) ? actions : null
}

/** No policy is asked, but for the update of a profile, which asks that of users. */
function routesOf(
  below: string,
  { auth }: Routed,
  actions: readonly string[],
): readonly KnownRoute[] {
  const isWrite = (method: string) => method === 'PUT' || method === 'PATCH'
  return authActions
    .filter(({ action }) => actions.includes(action))
    .flatMap(({ action, path, controller, routes }) =>
      routes.map(([method, rest]): KnownRoute => {
        const asks = action === 'profile' && isWrite(method) && auth !== null
        const policy = asks ? `${auth.name}Policy.update` : null
        const operation = action === 'verifyEmail' && rest === '' ? 'sendVerification' : action
        const changes = asks ? { changes: { entity: auth, isUpdate: true } } : {}
        const does = { is: 'feature', feature: 'signIn', operation, ...changes } as const
        return { method, path: `${below}${path}${rest}`, controller, policy, does }
      }),
    )
}

import type { Output } from '../../plan/render/output.js'
import { authView } from '../../plan/views/auth.js'
import { authActions, notificationPaths, runningFolder } from './actions.js'

/** The controllers run from here until `svc auth` publishes a copy. */
const paths = [
  'app/auth.ts',
  'app/Http/auth.ts',
  ...authActions.map(({ controller }) => `${runningFolder}/${controller}.ts`),
  ...notificationPaths,
]

export const signInOutputs: readonly Output[] = paths.map((path) => ({
  of: 'project',
  path,
  owner: 'svc',
  view: authView,
}))

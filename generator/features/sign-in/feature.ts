import type { Feature } from '../../write/feature.js'
import { signInCheck } from './check.js'
import { signInLines, signInTexts } from './lines.js'
import { signInOutputs } from './outputs.js'
import { withPublished } from './publish.js'
import { signInReader } from './reader.js'
import { usersRepository } from './repository.js'
import { signInRoutes } from './routes.js'
import { signInSettings } from './settings.js'

/**
 * Who signs in is part of what a project is: `auth` of the blueprint, `CurrentUser`, the guard of every route, and settings that
 * only they have. Core templates ask whether there are users. Here is what is added to that.
 */
export const signIn: Feature = {
  name: 'signIn',
  check: signInCheck,
  reader: signInReader,
  isOn: ({ auth }) => auth !== null,
  outputs: signInOutputs,
  replace: withPublished,
  packages: ({ facts }) => ({
    dependencies: ['nodemailer', 'resend', ...(facts.signIn?.hasJwt === true ? ['jose'] : [])],
    devDependencies: ['@types/nodemailer'],
  }),
  preloaded: ['jose'],
  slots: signInLines,
  texts: signInTexts,
  entitySlots: usersRepository,
  registrations: [signInRoutes],
  document: async () => (await import('./document.js')).signInInDocument,
  settings: signInSettings,
}

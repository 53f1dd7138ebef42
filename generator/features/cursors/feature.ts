import type { Variable } from '../../plan/texts.js'
import type { Feature } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'
import { cursorsInGraphql } from './graphql.js'

export const cursors: Feature = {
  name: 'cursors',
  isOn: (project) => isReadIn(project, 'cursors'),
  slots: ({ auth }) => ({
    ...settings,
    // Signing in has the secret already.
    ...(auth === null ? secret : {}),
    imports: { ...settings.imports, ...(auth === null ? secret.imports : {}) },
  }),
  texts: ({ auth }) => (auth === null ? { variables: [appKey] } : {}),
  entitySlots: (entity, project) =>
    hasRead(entity, project, 'cursors')
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#app/settings.js', names: ['cursors'] },
            ],
          },
          repository_extensions: ['cursors'],
        }
      : {},
  has: (entity, blueprint) =>
    isReadOf(blueprint, entity, 'cursors') ? 'lists that are walked by a cursor' : null,
  graphql: cursorsInGraphql,
  client: async () => (await import('./client.js')).cursorsInClient,
  document: async () => (await import('./document.js')).cursorsInDocument,
}

const settings = {
  imports: {
    'app/settings.ts': [{ from: '#runtime/features/cursors/cursors.js', names: ['sealedCursors'] }],
  },
  settings_exports: [
    `
/** How lists are walked. A cursor holds while APP_KEY stays the same. */
export const cursors = sealedCursors(env)`,
  ],
}

const secret = {
  imports: { 'app/env.ts': [{ from: '#runtime/config/app-key.js', names: ['appKeyEnv'] }] },
  env_variables: ['...appKeyEnv,'],
}

const appKey: Variable = {
  name: 'APP_KEY',
  remarks: [
    'Seals cursors, in production: openssl rand -hex 32. Development keeps one in storage/app.key.',
  ],
  place: 'apart',
  needed: 'make one with openssl rand -hex 32',
  sample: '$(openssl rand -hex 32)',
}

import type { Column, Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import { literal, property } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { languagesOf, localizationCheck } from './check.js'

export const localization: Feature = {
  name: 'localization',
  check: localizationCheck,
  outputs: [
    { of: 'project', path: 'app/messages.ts', owner: 'svc', view: messagesView },
    { of: 'project', path: 'config/messages.ts', owner: 'you', view: textsView },
  ],
  slots: () => ({
    imports: { 'app/app.ts': [{ from: './messages.js', names: ['speak'] }] },
    app_after_cors: ['app.use(speak) // what is wrong, in the language of who asks'],
  }),
  texts: () => ({
    changes: [{ what: 'the texts of errors, by language', where: '`config/messages.ts`' }],
  }),
  document: async () => (await import('./document.js')).languagesInDocument,
}

export interface MessagesView {
  /** `'en' | 'it'`. */
  readonly languages: string
  readonly repositories: readonly { readonly key: string; readonly fields: string }[]
}

function messagesView({ blueprint, entities }: Project): MessagesView {
  return {
    languages: languagesOf(blueprint).map(literal).join(' | '),
    repositories: entities.map((entity) => ({
      key: property(entity.key),
      fields:
        fieldsOf(entity)
          .map(({ name }) => literal(name))
          .join(' | ') || 'never',
    })),
  }
}

export interface TextsView {
  readonly languages: readonly string[]
  readonly repositories: readonly { readonly key: string; readonly labels: readonly string[] }[]
}

function textsView({ blueprint, entities }: Project): TextsView {
  return {
    languages: languagesOf(blueprint).map(property),
    repositories: entities.map((entity) => ({
      key: property(entity.key),
      labels: fieldsOf(entity).map(
        ({ name }) => `${property(name)}: ${literal(name.replaceAll('_', ' '))}`,
      ),
    })),
  }
}

/** Fields that an error may be about: those that requests write. */
const fieldsOf = ({ columns }: Entity): readonly Column[] =>
  columns.filter(({ role, readonly }) => !readonly && (role === 'field' || role === 'foreign'))

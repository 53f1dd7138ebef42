import { literal } from '../../plan/literal.js'
import type { Feature } from '../feature.js'
import { fullTextIn, type FullTextSaid } from './check.js'
import { isByKey } from './keeper.js'

/** Words that an index of the database finds, best first, in place of text inside of columns. */
export const fullText: Feature = {
  name: 'fullText',
  derive: (blueprint) => ({
    fullText: new Map(
      blueprint.entities.flatMap((entity) => {
        const said = fullTextIn(blueprint, entity)
        if (said === null) return []
        return [[entity.key, { ...said, isByKey: isByKey(entity, blueprint) }] as const]
      }),
    ),
  }),
  entitySlots: ({ key }, { derived }) => {
    const said = derived.fullText?.get(key)
    if (said === undefined) return {}
    const columns = `columns: [${said.columns.map(literal).join(', ')}]`
    const byKey = said.isByKey ? ', isByKey: true' : ''
    return {
      repository_imports: ["import { fullText } from '#runtime/features/full-text/full-text.js'"],
      repository_extensions: [
        `fullText({ ${columns}, language: ${literal(said.language)}${byKey} })`,
      ],
    }
  },
  has: (entity, blueprint) => {
    const said = fullTextIn(blueprint, entity)
    return said && `full text of ${said.columns.join(', ')} (${said.language})`
  },
  document: async () => (await import('./document.js')).fullTextInDocument,
}

declare module '../../plan/project.js' {
  interface Derived {
    readonly fullText?: ReadonlyMap<string, FullTextSaid & { readonly isByKey: boolean }>
  }
}

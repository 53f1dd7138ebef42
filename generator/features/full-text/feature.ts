import type { Entity } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { fullTextCheck, fullTextIn, type FullTextSaid } from './check.js'
import { fullTextKeeper, isByKey, searchKept } from './keeper.js'
import { fullText as fullTextWord } from './words.js'

/** Words that an index of the database finds, best first, in place of text inside of columns. */
export const fullText: Feature = {
  name: 'fullText',
  vocabulary: { fullText: fullTextWord },
  check: fullTextCheck,
  kept: searchKept,
  keeper: fullTextKeeper,
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
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: '#runtime/features/full-text/full-text.js', names: ['fullText'] },
        ],
      },
      repository_extensions: [
        `fullText({ ${columns}, language: ${literal(said.language)}${byKey} })`,
      ],
    }
  },
  has: (entity, blueprint) => {
    const said = fullTextIn(blueprint, entity)
    return said && `full text of ${said.columns.join(', ')} (${said.language})`
  },
  advice: ({ entities, ...blueprint }) =>
    entities.flatMap((entity) => (fullTextIn(blueprint, entity) === null ? [] : scans(entity))),
  document: async () => (await import('./document.js')).fullTextInDocument,
}

/** Found by one or by the other: no index serves both. */
const scans = ({ key, source, relations }: Entity): readonly Advice[] =>
  relations
    .filter(({ searchable }) => searchable.length > 0)
    .map(({ key: relation, target }) => ({
      rule: 'unindexed-search',
      at: source,
      message: `'${key}' has full text, and its '${relation}' is searchable too: a search goes through every row`,
      fix: `leave searchable out of '${relation}', and search '${target}' itself: globalSearch finds both at once`,
    }))

declare module '../../plan/project.js' {
  interface Derived {
    readonly fullText?: ReadonlyMap<string, FullTextSaid & { readonly isByKey: boolean }>
  }
}

import type { Entity } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { fullTextCheck, fullTextFact } from './check.js'
import { fullTextKeeper, isByKey, searchKept } from './keeper.js'
import { fullText as fullTextWord } from './words.js'

/** Words that an index of the database finds, best first, in place of text inside of columns. */
export const fullText: Feature = {
  name: 'fullText',
  vocabulary: { fullText: fullTextWord },
  check: fullTextCheck,
  kept: searchKept,
  keeper: fullTextKeeper,
  entitySlots: (entity, project) => {
    const said = fullTextFact.of(entity, project)
    if (said === null) return {}
    const columns = `columns: [${said.columns.map(literal).join(', ')}]`
    const byKey = isByKey(entity, project.blueprint) ? ', isByKey: true' : ''
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
    const said = fullTextFact.in(blueprint, entity)
    return said && `full text of ${said.columns.join(', ')} (${said.language})`
  },
  advice: ({ entities, ...blueprint }) =>
    entities.flatMap((entity) =>
      fullTextFact.in(blueprint, entity) === null ? [] : scans(entity),
    ),
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

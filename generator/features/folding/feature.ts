import type { Entity } from '../../blueprint/types.js'
import { literal, property } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'

export const folding: Feature = {
  name: 'folding',
  isOn: ({ entities }) => entities.some(hasFolded),
  entitySlots: (entity) =>
    hasFolded(entity)
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#runtime/features/folding/folding.js', names: ['folding'] },
            ],
          },
          repository_extensions: [`folding({ ${foldsOf(entity).join(', ')} })`],
        }
      : {},
  slots: ({ entities }) => {
    const repositories = entities.filter(hasFolded).map(({ name }) => `${name}Repository`)
    return {
      imports: {
        'app/server.ts': [
          { from: '#runtime/features/folding/fold-stored.js', names: ['foldStored'] },
          ...repositories.map((name) => ({ from: `./Repositories/${name}.js`, names: [name] })),
        ],
      },
      server_start: [
        '// Rows of before, and rows that others wrote without it.',
        `await foldStored([${repositories.join(', ')}], (line) => log.info(line))`,
      ],
    }
  },
}

/** `title: 'title_folded'` */
const foldsOf = ({ columns }: Entity) =>
  columns.flatMap(({ name, folded: stored }) =>
    stored === undefined ? [] : [`${property(name)}: ${literal(stored)}`],
  )

const hasFolded = ({ columns }: Entity) => columns.some(({ folded }) => folded !== undefined)

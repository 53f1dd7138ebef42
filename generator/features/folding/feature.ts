import type { Entity } from '../../blueprint/types.js'
import { literal, property } from '../../source/literal.js'
import type { Feature } from '../feature.js'

export const folding: Feature = {
  name: 'folding',
  isOn: ({ entities }) => entities.some(hasFolded),
  entitySlots: (entity) =>
    hasFolded(entity)
      ? {
          repository_imports: ["import { folding } from '#runtime/features/folding/folding.js'"],
          repository_extensions: [`folding({ ${foldsOf(entity).join(', ')} })`],
        }
      : {},
  slots: ({ entities }) => {
    const repositories = entities.filter(hasFolded).map(({ name }) => `${name}Repository`)
    return {
      server_imports_runtime: [
        "import { foldStored } from '#runtime/features/folding/fold-stored.js'",
      ],
      server_imports: repositories.map(
        (name) => `import { ${name} } from './Repositories/${name}.js'`,
      ),
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

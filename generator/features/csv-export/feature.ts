import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Feature } from '../../write/feature.js'
import { csvExportCheck, exportIn, type Exported } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, of repositories whose lists are files, too. */
    readonly exports: ReadonlyMap<string, Exported>
  }
}

export const csvExport: Feature = {
  name: 'csvExport',
  check: csvExportCheck,
  derive: (blueprint) => ({
    exports: new Map(
      blueprint.entities.flatMap((entity) => {
        const said = exportIn(blueprint, entity)
        return said === null ? [] : [[entity.key, said] as const]
      }),
    ),
  }),
  entitySlots: (entity, project) => {
    const lines = csvLines(entity, project)
    if (lines.length === 0) return {}
    return {
      imports: {
        'app/Http/Controllers/NameController.ts': [
          { from: '#runtime/features/csv-export/csv-of.js', names: ['csvOf'] },
        ],
      },
      controller_index: lines,
    }
  },
  has: (entity, blueprint) => {
    const said = exportIn(blueprint, entity)
    return said === null
      ? null
      : `lists as CSV, of ${said.max.toLocaleString('en')} records at most`
  },
  client: async () => (await import('./client.js')).exportInClient,
  document: async () => (await import('./document.js')).exportInDocument,
}

/** What stands before a list that may be a file; nothing: it is JSON alone. */
export function csvLines(entity: Entity, project: Surroundings): readonly string[] {
  const said = exportOf(entity, project)
  if (said === null) return []
  const max = said.max.toLocaleString('en').replaceAll(',', '_')
  return [`csvOf(${entity.name}Repository, { max: ${max}${said.bom ? ', bom: true' : ''} })`]
}

const exportOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): Exported | null => derived.exports.get(key) ?? null

import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Feature } from '../../write/feature.js'
import { csvExportCheck, exportFact } from './check.js'

export const csvExport: Feature = {
  name: 'csvExport',
  check: csvExportCheck,
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
    const said = exportFact.in(blueprint, entity)
    return said === null
      ? null
      : `lists as CSV, of ${said.max.toLocaleString('en')} records at most`
  },
  client: async () => (await import('./client.js')).exportInClient,
  document: async () => (await import('./document.js')).exportInDocument,
}

/** Returns the lines before a list that may be a file; none: it is JSON only. */
export function csvLines(entity: Entity, project: Surroundings): readonly string[] {
  const said = exportFact.of(entity, project)
  if (said === null) return []
  const max = said.max.toLocaleString('en').replaceAll(',', '_')
  return [`csvOf(${entity.name}Repository, { max: ${max}${said.bom ? ', bom: true' : ''} })`]
}

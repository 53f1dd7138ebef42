import type { ClientPart } from '../client/names.js'
import { namedIn, newColumns } from './written.js'

export const namedInClient: ClientPart = {
  written: ({ api }, entity) => namedIn(entity, api.project).map(({ key }) => key),
  below: ({ api }, entity) =>
    namedIn(entity, api.project).map(({ key, target: named }) => {
      const target = api.project.entity(named)
      const { columns = [] } = newColumns(api, target) ?? {}
      const writes = ['store', 'replace', 'patch'] as const
      return { key, target, columns, isOne: false, writes, areNamed: true }
    }),
}

import { writtenColumns } from '../../plan/written-columns.js'
import type { ClientPart } from '../client/names.js'
import { isChildColumn, isOne, writableOf } from './written.js'

export const childrenInClient: ClientPart = {
  written: ({ api }, entity, write) =>
    write === 'store' ? writableOf(entity, api.project).map(({ key }) => key) : [],
  below: ({ api }, entity) =>
    writableOf(entity, api.project).map((relation) => {
      const target = api.project.entity(relation.target)
      const columns = writtenColumns(api, target, 'store').filter(isChildColumn(relation))
      return { key: relation.key, target, columns, isOne: isOne(relation) }
    }),
}

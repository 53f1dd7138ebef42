import type { Entity } from '../../blueprint/types.js'
import { shownFields, writtenFields } from './pivot-types.js'
import {
  describeColumn,
  input,
  isClosed,
  type MemberView,
  nameOf,
  type Scope,
  typeOf,
  type TypeView,
} from './schema-scope.js'

/** The fields of pivot tables, as they are shown and as they are written; only those named somewhere are needed. */
export function pivotTypes({ pivots, project, ...rest }: Scope): readonly TypeView[] {
  const scope = { pivots, project, ...rest }
  return [...pivots.tables].flatMap(([table, { shown, written }]) => {
    const pivot = project.pivot(table)
    const members = (columns: typeof pivot.fields): readonly MemberView[] =>
      columns.map((column) => ({
        text: `${column.name}: ${typeOf(table, column, 'String', scope)}`,
        description: describeColumn(table, column, scope),
      }))
    const types = [
      { kind: 'type', name: shown, description: null, members: members(shownFields(pivot)) },
      input(written, members(writtenFields(pivot))),
    ]
    return types.filter((type) => type.members.length > 0)
  })
}

/** Related records with their pivots. */
export function edgeTypes(entity: Entity, scope: Scope): readonly TypeView[] {
  const { pivots, names } = scope
  return entity.relations.flatMap(({ key, target, pivot }): readonly TypeView[] => {
    const name = pivots.edges.get(`${entity.key}.${key}`)
    const fields = pivots.tables.get(pivot?.table ?? '')
    if (name === undefined || fields === undefined) return []
    const members = [`node: ${names.get(target) ?? ''}!`, `pivot: ${fields.shown}!`].map(
      (text) => ({ text, description: null }),
    )
    return [{ kind: 'type', name, description: null, members }]
  })
}

/** Attach, sync and detach of each many-to-many relation; they answer the record, or null where it is not visible any more. */
export function pivotMutations(entity: Entity, scope: Scope): readonly MemberView[] {
  const type = nameOf(entity, scope)
  const { pivots, project } = scope
  return entity.relations.flatMap(({ key, pivot }) => {
    const mutations = pivots.mutations.get(`${entity.key}.${key}`) ?? []
    if (pivot === null || isClosed(entity, key, 'shown', scope)) return []
    const isWritable = writtenFields(project.pivot(pivot.table)).length > 0
    const input = pivots.tables.get(pivot.table)?.written
    return mutations.map(({ operation, field, method }) => {
      const values = isWritable && operation !== 'detach' ? `, pivot: ${input}` : ''
      const text = `${field}(id: ID!, ids: [ID!]!${values}): ${type}`
      return { text: `${text} @field(resolver: "${type}Resolver@${method}")`, description: null }
    })
  })
}

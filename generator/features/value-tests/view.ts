import type { Column, Entity } from '../../blueprint/types.js'
import { reservedFields } from '../../migrations/schema/names.js'
import type { Project, Surroundings } from '../../plan/project.js'
import type { EntitySlots, Slots } from '../../plan/render/slots.js'
import { edgesText, fieldEdges, usualLists } from '../../plan/views/fields/field-edges.js'
import { fieldRefused } from '../../plan/views/fields/field-refused.js'
import { isVaried } from '../../plan/views/fields/sample.js'
import { isShown } from '../../plan/views/repository.js'
import { testedEntities } from '../../plan/views/tested-entities.js'
import { literal, property } from '../../source/literal.js'
import { lowerFirst } from '../graphql/names.js'

export interface ValuesView {
  /** Row type of the signed-in user, or null. */
  readonly user: string | null
  /** Lists of GraphQL are sorted and matched. */
  readonly hasLists: boolean
}

export function valuesView({ auth, derived }: Project): ValuesView {
  const { enabled, schema } = derived.graphql.settings
  return { user: auth?.name ?? null, hasLists: enabled && schema.relations }
}

/** Values that several fields are tried with. */
export function sharedValues(project: Project): Partial<Slots> {
  const tested = testedEntities(project)
  const fields = tested.flatMap((entity) => edgesOf(entity, project))
  const texts = textsIn(fields.flatMap(({ edges }) => edges))
  const lists = usualLists(new Set(fields.flatMap(({ list }) => list ?? [])))
  return {
    imports: {
      'tests/repositories.ts': [
        ...(texts.length === 0 ? [] : [{ from: '#runtime/testing/values/edges.js', names: texts }]),
      ],
    },
    tested_values: lists.flatMap(({ name, values }) => ['', `const ${name} = ${values}`]),
  }
}

/** Names in `runtime/testing/values/edges.ts`; what a field may choose is a text in quotes. */
const textsIn = (edges: readonly string[]) =>
  ['awkward', 'long'].filter((name) =>
    edges.some((edge) => edge === name || edge.startsWith(`${name}(`)),
  )

/** Returns the values that a repository's fields are tried with. */
export function valuesOf(entity: Entity, project: Surroundings): Partial<EntitySlots> {
  const { enabled } = project.derived.graphql.settings
  const type = project.derived.graphql.types.get(entity.key)
  const query = type === undefined ? 'null' : literal(lowerFirst(type))
  const fields = edgesOf(entity, project).map(({ name, values }) => `${property(name)}: ${values},`)
  const refused = refusedOf(entity).map(
    ({ name, values }) => `${property(name)}: [${values.join(', ')}],`,
  )
  return {
    tested_fields: [
      ...(enabled ? [`query: ${query},`] : []),
      ...['fields: {', ...fields, '},'],
      ...['refused: {', ...refused, '},'],
    ],
  }
}

function edgesOf(entity: Entity, project: Pick<Surroundings, 'derived'>) {
  const most = rowsOf(entity)
  return entity.columns
    .filter((column) => isTried(column, entity, project))
    .map((column) => ({
      name: column.name,
      edges: fieldEdges(column).slice(0, most),
      ...edgesText(column, most),
    }))
}

const refusedOf = ({ columns }: Entity) =>
  columns
    .filter(({ role, readonly }) => role === 'field' && !readonly)
    .map((column) => ({ name: column.name, values: fieldRefused(column) }))
    .filter(({ values }) => values.length > 0)

/** Returns true if every door writes the field, and both surfaces show it. */
function isTried(
  column: Column,
  { key }: Entity,
  { derived }: Pick<Surroundings, 'derived'>,
): boolean {
  if (column.role !== 'field' || column.readonly || !isShown(column)) return false
  if (reservedFields.has(column.name)) return false
  return derived.graphql.closed.get(key)?.shown.has(column.name) !== true
}

/**
 * Returns the number of rows: it is small where few values are possible and no two rows may have
 * the same.
 */
function rowsOf({ columns }: Entity): number {
  const few = columns.filter(
    (column) => column.unique && column.role === 'field' && !isVaried(column),
  )
  return Math.min(...few.map((column) => fieldEdges(column).length))
}

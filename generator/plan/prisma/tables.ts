import type { Blueprint, Column, Entity, Pivot, PivotSide } from '../../blueprint/types.js'
import { passwordResets, personalAccessTokens, rateLimits } from './auth-tables.js'
import { fieldName } from './names.js'

/** A table before its relations are drawn. */
export interface Table {
  readonly name: string
  readonly model: string
  readonly columns: readonly Column[]
  readonly attributes: readonly string[]
}

/** Every table of the blueprint: entities in manifest order, then pivots, then the tables of auth. */
export function tablesOf(blueprint: Blueprint): readonly Table[] {
  return [
    ...blueprint.entities.map(entityTable),
    ...blueprint.pivots.map(pivotTable),
    ...authTables(blueprint),
  ]
}

function entityTable({ name, table, columns }: Entity): Table {
  return { name: table, model: name, columns, attributes: indexes(columns) }
}

function authTables({ auth, entities }: Blueprint): readonly Table[] {
  const user = entities.find(({ key }) => key === auth)
  if (user === undefined) return []
  return [personalAccessTokens(user.id), passwordResets(), rateLimits()].map((table) => ({
    ...table,
    attributes: indexes(table.columns),
  }))
}

/** Both directions are read: by the primary key from the first side, by an index from the second. */
function pivotTable(pivot: Pivot): Table {
  const [first, second] = pivot.sides.map((side) => [
    ...(side.morphType === null ? [] : [side.morphType]),
    side.column,
  ])
  const key = [...(first ?? []), ...(second ?? [])]
  return {
    name: pivot.table,
    model: pivot.name,
    columns: [...pivot.sides.flatMap(sideColumns), ...pivot.fields],
    attributes: [block('id', key), block('index', second ?? []), ...indexes(pivot.fields)],
  }
}

function sideColumns({ column, kind, morphType }: PivotSide): readonly Column[] {
  const plain = { nullable: false, unique: false, indexed: false, hidden: false, readonly: true }
  const id: Column = { ...plain, name: column, role: 'foreign', kind }
  if (morphType === null) return [id]
  return [
    { ...plain, name: morphType, role: 'morphType', kind: 'text' },
    { ...id, role: 'morphId' },
  ]
}

/** One per indexed column and foreign key; the two columns of a morph share one. */
function indexes(columns: readonly Column[]): readonly string[] {
  return columns.flatMap((column, at) => {
    if (column.role === 'morphId') return []
    const id = column.role === 'morphType' ? morphId(columns, at) : undefined
    if (id !== undefined) return [block('index', [column.name, id.name])]
    const isWanted = column.indexed || column.role === 'foreign'
    return isWanted && !column.unique && column.role !== 'id' ? [block('index', [column.name])] : []
  })
}

/** Of `imageable_type`: `imageable_id`, wherever it stands. */
function morphId(columns: readonly Column[], at: number): Column | undefined {
  const ids = columns.filter(({ role }) => role === 'morphId')
  const prefix = columns[at]?.name.replace(/_type$/, '')
  return ids.find(({ name }) => name.replace(/_id$/, '') === prefix)
}

const block = (kind: 'id' | 'index', columns: readonly string[]) =>
  `@@${kind}([${columns.map(fieldName).join(', ')}])`

import { storedName } from '../../blueprint/names/names.js'
import type {
  Blueprint,
  Column,
  Entity,
  FeatureTable,
  KeptColumn,
  Pivot,
  PivotSide,
} from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'
import { absenceIn, existingMark, foldedMark } from '../keepers/further-indexes.js'
import { morphMark, morphTriggers } from '../keepers/morph-marks.js'
import { absenceMark } from '../rows/absent-rows.js'
import { withMark } from './schema-marks.js'

/** A table before its relations are drawn. */
export interface Table {
  readonly name: string
  readonly model: string
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  /** Columns that the database fills, and Prisma's client does not have. */
  readonly kept?: readonly KeptColumn[]
}

/** A key or an index of a table; columns as the blueprint calls them. */
export interface Index {
  readonly kind: 'id' | 'unique' | 'index'
  readonly columns: readonly string[]
  readonly isDescending?: boolean
  /** The manifest asks for it, so its names may meet others: Prisma would make up the same. */
  readonly isDeclared?: boolean
}

/** Every table of the blueprint: entities in manifest order, then pivots, then those of features. */
export function tablesOf(blueprint: Blueprint): readonly Table[] {
  return [
    ...blueprint.entities.map((entity) => withKept(entityTable(entity, blueprint), entity)),
    ...blueprint.pivots.map((pivot) => pivotTable(pivot, blueprint)),
    ...blueprint.tables.map(withIndexes),
  ]
}

/**
 * Included records are read per parent, newest first: an index on the foreign key and the id gives as many as are shown,
 * without reading the others. Every index of SQLite ends with the row's number, which is what its integer ids are.
 */
function entityTable(entity: Entity, { database, auth, entities }: Blueprint): Table {
  const { name, table, id } = entity
  const isRowid = database === 'sqlite' && storedAs({ kind: id }).key?.makes === null
  const behindKeys = isRowid ? [] : ['id']
  const absence = absenceIn(entity.columns)
  const columns = entity.columns.map((column) => {
    // Two people never sign in with e-mails that differ only in case, however their rows were written.
    const isLogin = entity.key === auth && column.name === 'email'
    const marks = [
      column.absence === true ? absenceMark : null,
      isLogin ? foldedMark(absence) : morphMarkOf(column, table, entities),
      ...(absence === null ? [] : existingMarksOf(column, entity, absence)),
    ].filter((mark) => mark !== null)
    if (marks.length === 0) return column
    const unique = column.unique && absence === null
    return { ...column, unique, description: withMark(column.description, marks.join('\n')) }
  })
  const sorted = database === 'sqlite' ? [] : nullsLast(entity)
  const made = entity.isExisting === true ? [] : [...indexes(columns, behindKeys), ...sorted]
  return { name: table, model: name, columns, indexes: [...made, ...declaredBeside(made, entity)] }
}

function withKept(table: Table, { kept = [] }: Entity): Table {
  if (kept.length === 0) return table
  const columns = table.columns.map((column) => {
    const marks = kept.flatMap((each) => each.marks[column.name] ?? [])
    if (marks.length === 0) return column
    return { ...column, description: withMark(column.description, marks.join('\n')) }
  })
  return { ...table, columns, kept: kept.flatMap((each) => each.columns) }
}

/** Marks of a column that begins a unique key, where that is one of the existing rows. */
function existingMarksOf(
  { name, unique }: Column,
  { columns, unique: groups = [] }: Entity,
  absence: string,
): readonly string[] {
  const stored = (each: string) => {
    const column = columns.find((other) => other.name === each)
    return column === undefined ? each : storedName(column)
  }
  const own = unique ? [[name]] : []
  return [...own, ...groups.filter(([first]) => first === name)].map(([, ...others]) =>
    existingMark(others.map(stored), absence),
  )
}

/** `unique` and `indexes` of the repository; an index that is there already is not made again. */
function declaredBeside(made: readonly Index[], entity: Entity): readonly Index[] {
  const isMade = (columns: readonly string[]) =>
    made.some((each) => each.isDescending !== true && each.columns.join() === columns.join())
  const { unique = [], indexes: declared = [] } = entity
  const whole = absenceIn(entity.columns) === null ? unique : []
  return [
    ...whole.map((columns) => ({ kind: 'unique' as const, columns, isDeclared: true })),
    ...declared
      .filter((columns) => !isMade(columns))
      .map((columns) => ({ kind: 'index' as const, columns, isDeclared: true })),
  ]
}

/** The mark of the column that says which of several tables a row belongs to. */
function morphMarkOf(
  { name, owners }: Column,
  table: string,
  entities: readonly Entity[],
): string | null {
  if (owners === undefined || owners.length === 0) return null
  const tables = owners.flatMap(({ entity: key, onDelete }) =>
    entities
      .filter((each) => each.key === key)
      .map((each) => ({ key, table: each.table, onDelete })),
  )
  return morphMark(morphTriggers(table, name.replace(/_type$/, '')), tables)
}

/**
 * Lists put NULL last both ways; PostgreSQL reads an index backwards with NULL first. Keys have an
 * index of that name already, and so may a field `x_id` beside `x`.
 */
function nullsLast({ columns, sort }: Entity): readonly Index[] {
  const names = new Set(columns.map(({ name }) => name))
  return columns
    .filter(({ name, nullable, indexed, unique }) => {
      return sort.includes(name) && nullable && (indexed || unique)
    })
    .filter(({ name, role }) => role !== 'foreign' && !names.has(`${name}_id`))
    .map(({ name }) => ({ kind: 'index', columns: [name, 'id'], isDescending: true }))
}

const withIndexes = (table: FeatureTable): Table => ({
  ...table,
  indexes: indexes(table.columns, []),
})

/**
 * Both directions are read, newest first: by the primary key from the first side, by an index from the second. A
 * morph is not read from its second side; deleting there looks rows up.
 */
function pivotTable(pivot: Pivot, { entities }: Blueprint): Table {
  const [first, second] = pivot.sides.map((side) => [
    ...(side.morphType === null ? [] : [side.morphType]),
    side.column,
  ])
  const key = [...(first ?? []), ...(second ?? [])]
  const isMorph = pivot.sides.some(({ morphType }) => morphType !== null)
  const ends = entities.filter(({ key }) => pivot.sides.some((side) => side.entity === key))
  const isExisting = ends.every((each) => each.isExisting === true)
  const reverse = isMorph ? (second ?? []) : [...(second ?? []), ...(first ?? [])]
  return {
    name: pivot.table,
    model: pivot.name,
    columns: [
      ...pivot.sides.flatMap((side) => sideColumns(side, pivot, entities)),
      ...pivot.fields,
    ],
    indexes: [
      { kind: 'id', columns: key },
      ...(isExisting ? [] : [{ kind: 'index' as const, columns: reverse }]),
      ...indexes(pivot.fields, []),
    ],
  }
}

function sideColumns(
  { column, kind, morphType }: PivotSide,
  { table }: Pivot,
  entities: readonly Entity[],
): readonly Column[] {
  const plain = { nullable: false, unique: false, indexed: false, hidden: false, readonly: true }
  const id: Column = { ...plain, name: column, role: 'foreign', kind }
  if (morphType === null) return [id]
  const owners = entities
    .filter(({ relations }) =>
      relations.some((each) => each.pivot?.table === table && each.morphType === morphType),
    )
    .map(({ key }) => ({ entity: key, onDelete: 'cascade' as const }))
  const type: Column = { ...plain, name: morphType, role: 'morphType', kind: 'text', owners }
  const description = morphMarkOf(type, table, entities)
  return [
    { ...type, ...(description === null ? {} : { description }) },
    { ...id, role: 'morphId' },
  ]
}

/** One per indexed column and foreign key; the two columns of a morph share one. */
function indexes(columns: readonly Column[], behindKeys: readonly string[]): readonly Index[] {
  const index = (...names: readonly string[]): Index => ({ kind: 'index', columns: names })
  return columns.flatMap((column, at) => {
    if (column.role === 'morphId') return []
    const id = column.role === 'morphType' ? morphId(columns, at) : undefined
    if (id !== undefined) return [index(column.name, id.name, ...behindKeys)]
    const isKey = column.role === 'foreign'
    if (column.unique || column.role === 'id' || !(column.indexed || isKey)) return []
    return [isKey ? index(column.name, ...behindKeys) : index(column.name)]
  })
}

/** Finds `imageable_id` of `imageable_type`, wherever it is. */
function morphId(columns: readonly Column[], at: number): Column | undefined {
  const ids = columns.filter(({ role }) => role === 'morphId')
  const prefix = columns[at]?.name.replace(/_type$/, '')
  return ids.find(({ name }) => name.replace(/_id$/, '') === prefix)
}

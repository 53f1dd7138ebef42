import { storedName } from '../../blueprint/names/names.js'
import type { Column, Entity } from '../../blueprint/types.js'
import { keyOf, kindOf } from '../../kinds/kinds.js'
import { literal, property } from '../../source/literal.js'
import type { Project } from '../project.js'
import { isRequired, isVaried, sampleExpression } from './fields/sample.js'

export interface FactoriesView {
  /** Names of `node:crypto` and row types that the factories use. */
  readonly crypto: readonly string[]
  readonly rows: readonly string[]
  readonly factories: readonly FactoryView[]
  readonly hasUnique: boolean
  readonly hasValues: boolean
  /** Some table has `created_at` and `updated_at`. */
  readonly hasTimestamps: boolean
  /** Some table has other names for its columns. */
  readonly hasRenamed: boolean
}

interface FactoryView {
  readonly name: string
  readonly table: string
  /** `title: 'Title'`, for each column a row cannot do without. */
  readonly values: readonly string[]
  /** `ordered_at: 'Order Date'`: what the table calls them. */
  readonly renamed: readonly string[]
  /** Columns of a table that is older than svc, or has other names; empty: all columns. */
  readonly returning: readonly string[]
  /** Its rows have a key and nothing else. */
  readonly isAlone: boolean
}

const hasTimestamps = ({ columns }: Entity) => columns.some(({ role }) => role === 'timestamp')

export function factoriesView(project: Project): FactoriesView {
  const factories = project.entities.map((entity) => factoryView(entity, project))
  const text = factories.flatMap(({ values }) => values).join()
  const hasUnique = text.includes('unique(')
  const crypto = ['randomInt', 'randomUUID'].filter(
    (name) => text.includes(name) || (name === 'randomUUID' && hasUnique),
  )
  const rows = project.entities.map(({ name }) => name).toSorted()
  const isStamped = project.entities.some(hasTimestamps)
  const hasValues = factories.some(({ isAlone }) => !isAlone)
  const hasRenamed = factories.some(({ renamed, isAlone }) => !isAlone && renamed.length > 0)
  return { crypto, rows, hasValues, factories, hasUnique, hasTimestamps: isStamped, hasRenamed }
}

function factoryView(entity: Entity, project: Project): FactoryView {
  const key = newKey(entity)
  const varied = variedIn(entity)
  const values = entity.columns
    .filter((column) => column.role !== 'id')
    .filter((column) => isRequired(column) || varied.includes(column))
    .map((column) => (varied.includes(column) ? { ...column, unique: true } : column))
    .map((column) => `${property(column.name)}: ${valueFor(column, project)}`)
  const isEmpty = values.length === 0 && !hasTimestamps(entity)
  const empty = isEmpty ? emptyRow(entity) : []
  const given = hasTimestamps(entity) ? ['...timestamps()'] : []
  const all = [...key, ...empty, ...values, ...given, '...values']
  const isAlone = isEmpty && key.length + empty.length === 0
  // A table that was there before may have columns that no row of svc's has.
  const others = entity.columns.filter(({ stored }) => stored !== undefined)
  const isOwn = others.length === 0 && entity.isExisting !== true
  const returning = (isOwn ? [] : entity.columns).map(({ name, stored }) =>
    stored === undefined ? name : `${stored} as ${name}`,
  )
  const renamed = others.map((each) => `${property(each.name)}: ${literal(storedName(each))}`)
  return { name: entity.name, table: entity.table, values: all, renamed, returning, isAlone }
}

/** Returns the code that makes a key, where nobody else makes one. */
function newKey({ id, columns }: Entity): readonly string[] {
  const [column] = columns
  const { made } = keyOf(id)
  if (made !== null)
    return [`id: ${made}${column?.max === undefined ? '' : `.slice(-${column.max})`}`]
  return column?.given === undefined
    ? []
    : [`id: ${kindOf(id).varied?.({ ...column, min: 1 }) ?? '1'}`]
}

/** SQLite stores no row of no columns. */
const emptyRow = ({ columns }: Entity): readonly string[] =>
  columns
    .filter(({ role, nullable }) => nullable && role !== 'id')
    .slice(0, 1)
    .map(({ name }) => `${property(name)}: null`)

/** Finds a column of a unique key that has another value in each row, where one can. */
function variedIn({ columns, unique = [] }: Entity): readonly Column[] {
  return unique.flatMap((names) => {
    const group = columns.filter(({ name }) => names.includes(name))
    if (group.some(({ nullable }) => nullable)) return []
    return group.find((each) => isRequired(each) && isVaried(each)) ?? group.find(isVaried) ?? []
  })
}

function valueFor(column: Column, project: Project): string {
  if (column.references === undefined) return sampleExpression(column)
  const { name } = project.entity(column.references.entity)
  return `${member('values', column.name)} ?? (await make${name}()).id`
}

const member = (object: string, name: string) =>
  property(name) === name ? `${object}.${name}` : `${object}[${property(name)}]`

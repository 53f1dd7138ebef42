import { studly } from '../../blueprint/names.js'
import type {
  Blueprint,
  Column,
  Database,
  Entity,
  Pivot,
  PivotSide,
} from '../../blueprint/types.js'
import { packageFile } from '../package-files.js'
import { passwordResets, personalAccessTokens } from './auth-tables.js'
import { columnField } from './columns.js'
import { findLinks, type Link } from './links.js'
import type { PrismaField, PrismaModel } from './model.js'
import { fieldName } from './names.js'
import { printModel } from './print.js'

/** A table before its relations are drawn. */
interface Table {
  readonly name: string
  readonly model: string
  readonly columns: readonly Column[]
  readonly attributes: readonly string[]
}

/**
 * Text of `prisma/schema/svc.prisma`: entities in manifest order, then pivots, then the tables of auth. Pure, and a fixed
 * point of `prisma format`.
 */
export function prismaSchema(blueprint: Blueprint): string {
  const tables = [
    ...blueprint.entities.map(entityTable),
    ...blueprint.pivots.map(pivotTable),
    ...authTables(blueprint),
  ]
  const models = new Map(tables.map(({ name, model }) => [name, model]))
  const links = findLinks(blueprint)
  const texts = tables.map((table) =>
    printModel(drawModel(table, models, links, blueprint.database)),
  )
  const head = packageFile('prisma/client.prisma').replace('{{database}}', blueprint.database)
  return [head, ...texts].join('\n')
}

function entityTable({ name, table, columns }: Entity): Table {
  return { name: table, model: name, columns, attributes: indexes(columns) }
}

function authTables({ auth, entities }: Blueprint): readonly Table[] {
  const user = entities.find(({ key }) => key === auth)
  if (user === undefined) return []
  return [personalAccessTokens(user.id), passwordResets()].map((table) => ({
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

function drawModel(
  table: Table,
  models: ReadonlyMap<string, string>,
  links: readonly Link[],
  database: Database,
): PrismaModel {
  const model = (name: string) => models.get(name) ?? name
  const named = (link: Link) => (isAmbiguous(link, links) ? [relationName(link, model)] : [])
  const forward = links.filter(({ from }) => from === table.name)
  const inverse = links.filter(({ to }) => to === table.name)
  return {
    name: model(table.name),
    fields: table.columns.map((column) => columnField(column, database)),
    relations: [
      ...forward.map((link) => forwardField(link, model(link.to), named(link))),
      ...inverse.map((link) => inverseField(link, model(link.from), named(link))),
    ],
    attributes: [...table.attributes, `@@map("${table.name}")`],
  }
}

const onDelete = { restrict: 'Restrict', cascade: 'Cascade', setNull: 'SetNull' } as const

function forwardField(link: Link, model: string, named: readonly string[]): PrismaField {
  const how = [
    ...named,
    `fields: [${fieldName(link.column)}]`,
    'references: [id]',
    `onDelete: ${onDelete[link.onDelete]}`,
  ]
  const type = link.isNullable ? `${model}?` : model
  return { name: link.forward, type, attributes: [`@relation(${how.join(', ')})`] }
}

function inverseField(link: Link, model: string, named: readonly string[]): PrismaField {
  const attributes = named.map((name) => `@relation(${name})`)
  return { name: link.inverse, type: link.isList ? `${model}[]` : `${model}?`, attributes }
}

/** Prisma wants a name where two keys join the same two models, or one joins a model to itself. */
function isAmbiguous(link: Link, links: readonly Link[]): boolean {
  if (link.from === link.to) return true
  const ends = new Set([link.from, link.to])
  return links.filter(({ from, to }) => from !== to && ends.has(from) && ends.has(to)).length > 1
}

const relationName = (link: Link, model: (table: string) => string) =>
  `"${model(link.from)}${studly(link.forward)}"`

import { storedName, studly } from '../../blueprint/names/names.js'
import type { Blueprint, Database, KeptColumn } from '../../blueprint/types.js'
import { packageFile } from '../../source/package-files.js'
import { isKeyOnly, keyMark, tableWish } from '../diff/renames.js'
import { keptFieldType, keptIndex } from '../keepers/kept.js'
import { foldedForm } from '../rows/conversions/folded.js'
import { columnField } from './columns.js'
import { indexAttributes } from './indexes.js'
import { findModelRelations, type ModelRelation } from './model-relations.js'
import type { PrismaField, PrismaModel } from './model.js'
import { fieldName } from './names.js'
import { printModel } from './print.js'
import { tablesOf, type Table } from './tables.js'

/** Text of `prisma/schema/svc.prisma`. Pure, and a fixed point of `prisma format`. */
export function prismaSchema(blueprint: Blueprint): string {
  const { database } = blueprint
  const tables = tablesOf(blueprint)
  const draw = drawing(tables, findModelRelations(blueprint), database)
  const head = packageFile('prisma/client.prisma').replace('{{database}}', database)
  return [head, ...keyMarks(blueprint), ...tables.map((table) => printModel(draw(table)))].join(
    '\n',
  )
}

/** Repositories whose key changed and whose table did not. */
function keyMarks({ entities }: Blueprint): readonly string[] {
  const marks = entities.flatMap(tableWish).filter(isKeyOnly).map(keyMark)
  return marks.length === 0 ? [] : [`${marks.join('\n')}\n`]
}

function drawing(
  tables: readonly Table[],
  relations: readonly ModelRelation[],
  database: Database,
) {
  const models = new Map(tables.map(({ name, model }) => [name, model]))
  const model = (table: string) => models.get(table) ?? table
  const forward = groupBy(relations, ({ from }) => from)
  const inverse = groupBy(relations, ({ to }) => to)
  const attributesOf = indexAttributes(tables)
  return (table: Table): PrismaModel => {
    const { kept = [] } = table
    const fields = [...fieldsOf(table, database), ...kept.map(keptField)]
    const ends = [
      ...(forward.get(table.name) ?? []).map((relation) => forwardField(relation, model)),
      ...(inverse.get(table.name) ?? []).map((relation) => inverseField(relation, model)),
    ]
    const names = [...fields, ...ends].map(({ name }) => name)
    const attributes = [
      ...attributesOf(table, names),
      ...kept.flatMap(keptIndex),
      `@@map("${table.name}")`,
    ]
    return { name: table.model, fields, relations: ends, attributes }
  }
}

const keptField = (column: KeptColumn): PrismaField => ({
  name: column.name,
  type: keptFieldType(column),
  // As Prisma reads a column that is generated.
  attributes: ['@default(dbgenerated())'],
})

/** A folded column is marked: its values can be made again. */
function fieldsOf({ columns }: Table, database: Database): readonly PrismaField[] {
  const sources = new Map(columns.map((column) => [column.folded, storedName(column)]))
  return columns.map((column) => {
    const source = sources.get(column.name)
    const field = columnField(column, database)
    return source === undefined ? field : { ...field, mark: foldedForm(source) }
  })
}

function groupBy(relations: readonly ModelRelation[], table: (relation: ModelRelation) => string) {
  const groups = new Map<string, ModelRelation[]>()
  for (const relation of relations) {
    const group = groups.get(table(relation))
    if (group === undefined) groups.set(table(relation), [relation])
    else group.push(relation)
  }
  return groups
}

type ModelOf = (table: string) => string

const onDelete = { restrict: 'Restrict', cascade: 'Cascade', setNull: 'SetNull' } as const

function forwardField(relation: ModelRelation, model: ModelOf): PrismaField {
  const how = [
    ...relationName(relation, model),
    `fields: [${fieldName(relation.column)}]`,
    'references: [id]',
    `onDelete: ${onDelete[relation.onDelete]}`,
  ]
  const type = relation.isNullable ? `${model(relation.to)}?` : model(relation.to)
  return { name: relation.forward, type, attributes: [`@relation(${how.join(', ')})`] }
}

function inverseField(relation: ModelRelation, model: ModelOf): PrismaField {
  const attributes = relationName(relation, model).map((name) => `@relation(${name})`)
  const type = relation.isList ? `${model(relation.from)}[]` : `${model(relation.from)}?`
  return { name: relation.inverse, type, attributes }
}

const relationName = (relation: ModelRelation, model: ModelOf): readonly string[] =>
  relation.isAmbiguous ? [`"${model(relation.from)}${studly(relation.forward)}"`] : []

import { studly } from '../../blueprint/names.js'
import type { Blueprint, Database } from '../../blueprint/types.js'
import { packageFile } from '../package-files.js'
import { columnField } from './columns.js'
import { findLinks, type Link } from './links.js'
import type { PrismaField, PrismaModel } from './model.js'
import { fieldName } from './names.js'
import { printModel } from './print.js'
import { isKeyOnly, keyMark, tableWish } from './renames.js'
import { tablesOf, type Table } from './tables.js'

/** Text of `prisma/schema/svc.prisma`. Pure, and a fixed point of `prisma format`. */
export function prismaSchema(blueprint: Blueprint): string {
  const { database } = blueprint
  const tables = tablesOf(blueprint)
  const draw = drawing(tables, findLinks(blueprint), database)
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

function drawing(tables: readonly Table[], links: readonly Link[], database: Database) {
  const models = new Map(tables.map(({ name, model }) => [name, model]))
  const model = (table: string) => models.get(table) ?? table
  const forward = groupBy(links, ({ from }) => from)
  const inverse = groupBy(links, ({ to }) => to)
  return (table: Table): PrismaModel => ({
    name: table.model,
    fields: table.columns.map((column) => columnField(column, database)),
    relations: [
      ...(forward.get(table.name) ?? []).map((link) => forwardField(link, model)),
      ...(inverse.get(table.name) ?? []).map((link) => inverseField(link, model)),
    ],
    attributes: [...table.attributes, `@@map("${table.name}")`],
  })
}

function groupBy(links: readonly Link[], table: (link: Link) => string) {
  const groups = new Map<string, Link[]>()
  for (const link of links) {
    const group = groups.get(table(link))
    if (group === undefined) groups.set(table(link), [link])
    else group.push(link)
  }
  return groups
}

type ModelOf = (table: string) => string

const onDelete = { restrict: 'Restrict', cascade: 'Cascade', setNull: 'SetNull' } as const

function forwardField(link: Link, model: ModelOf): PrismaField {
  const how = [
    ...relationName(link, model),
    `fields: [${fieldName(link.column)}]`,
    'references: [id]',
    `onDelete: ${onDelete[link.onDelete]}`,
  ]
  const type = link.isNullable ? `${model(link.to)}?` : model(link.to)
  return { name: link.forward, type, attributes: [`@relation(${how.join(', ')})`] }
}

function inverseField(link: Link, model: ModelOf): PrismaField {
  const attributes = relationName(link, model).map((name) => `@relation(${name})`)
  const type = link.isList ? `${model(link.from)}[]` : `${model(link.from)}?`
  return { name: link.inverse, type, attributes }
}

const relationName = (link: Link, model: ModelOf): readonly string[] =>
  link.isAmbiguous ? [`"${model(link.from)}${studly(link.forward)}"`] : []

import type { Column, Entity, Relation } from '../../../blueprint/types.js'
import { keyOf } from '../../../kinds/kinds.js'
import { isRequired, sampleValue } from '../../../plan/views/fields/sample.js'
import { isShown } from '../../../plan/views/repository.js'
import { requiredColumns, writtenColumns, type Write } from '../../../plan/written-columns.js'
import type { Api } from '../api.js'
import type { Data } from '../facts.js'
import { bodyObject, isStrict } from '../strict.js'
import { shownSchema, writtenSchema } from './column-schema.js'
import { objectOf } from './object.js'
import { schema } from './references.js'
import { relatedRecord, relationshipsOf } from './relationship-schemas.js'

type Schemas = Readonly<Record<string, Data>>

/** The schemas of one repository. */
export function entitySchemas(api: Api, entity: Entity): Schemas {
  const name = api.prefix(entity)
  const relationships = relationshipsOf(api, entity)
  const hasRelated = Object.keys(relationships).length > 0
  return {
    [name]: attributes(api, entity),
    [`${name}Resource`]: resource(api, entity),
    [`${name}Related`]: { ...relatedRecord(api, entity), ...titleOf(entity) },
    ...(hasRelated ? { [`${name}Relationships`]: objectOf(relationships) } : {}),
    [`${name}Page`]: pageOf(schema(`${name}Resource`)),
    ...bodies(api, entity, name),
    [`${name}ValidationError`]: validationError(api, entity),
  }
}

export function attributes(api: Api, entity: Entity): Data {
  const { columns, description } = entity
  const more = [...api.parts.values()].map((part) => part.shown?.(api, entity))
  const shown = columns
    .filter(isShown)
    .map((column) => [column.name, shownSchema(asGated(api, entity, column))])
  const about = description === undefined ? {} : { description }
  return {
    ...about,
    type: 'object',
    properties: Object.assign(Object.fromEntries(shown), ...more) as Data,
    additionalProperties: false,
  }
}

/** The column as responses show it: null where a gate hides the value of some rows. */
function asGated(api: Api, entity: Entity, column: Column): Column {
  const { gates } = api.codeOf(entity)
  const mayBeHidden = gates === null || gates.byRow.has(column.name)
  return mayBeHidden ? { ...column, nullable: true } : column
}

/** Attributes that no gate hides. */
export function alwaysShown(api: Api, entity: Entity): readonly string[] {
  const { gates } = api.codeOf(entity)
  return entity.columns
    .filter(isShown)
    .filter((column) => gates !== null && !gates.canSee.has(column.name))
    .map((column) => column.name)
}

/**
 * A record that was asked for: it has all attributes that no gate hides, and its flags. The attributes are told again with what is
 * required: of makers of types, some look for it beside `allOf`, some within, and some nowhere.
 */
function resource(api: Api, entity: Entity): Data {
  const parts = [...api.parts.values()]
  const mayLack = parts.some((part) => part.mayLack?.(api, entity) === true)
  const names = mayLack ? [] : alwaysShown(api, entity)
  const name = api.prefix(entity)
  const shown = { ...attributes(api, entity), required: [...names] }
  const properties = {
    ...(names.length === 0 ? {} : { attributes: shown }),
    meta: metaOf(api, entity),
  }
  const required = Object.keys(properties)
  const more = parts.map((part) => part.members?.(api, entity))
  const all = Object.assign({}, properties, ...more) as Data
  return { allOf: [schema(`${name}Related`), objectOf(all, required)] }
}

/** The flags, and what features add to them. */
export function metaOf(api: Api, entity: Entity): Data {
  const more: Data = Object.assign(
    {},
    ...[...api.parts.values()].map(({ meta }) => meta?.(api, entity)),
  )
  const names = Object.keys(more)
  if (names.length === 0) return schema('Meta')
  return { allOf: [schema('Meta'), { type: 'object', properties: more, required: names }] }
}

/** For the page about the API: the attribute that names a record for people, where that is not its first text. */
function titleOf({ title, columns }: Entity): Data {
  const first = columns.filter(isShown).find((column) => {
    const { type, format, pattern, enum: options } = shownSchema(column)
    const isText = type === 'string' || (Array.isArray(type) && type.includes('string'))
    return isText && (format ?? pattern ?? options) === undefined
  })
  return title === null || title === first?.name ? {} : { 'x-title': title }
}

/** A page of some kind of record. */
export const pageOf = (items: Data): Data => ({
  allOf: [schema('Page'), objectOf({ data: { type: 'array', items } }, ['data'])],
})

/** Returns the schemas of bodies, each as one object. */
function bodies(api: Api, entity: Entity, name: string): Schemas {
  const example = exampleOf(api, entity)
  return {
    [`${name}Store`]: {
      ...bodyOf(api, entity, 'store'),
      ...(Object.keys(example).length === 0 ? {} : { examples: [example] }),
    },
    [`${name}Replace`]: bodyOf(api, entity, 'replace'),
    [`${name}Patch`]: bodyOf(api, entity, 'patch'),
  }
}

/** A body as one object; below a parent, without the columns that are the parent's. */
export function bodyOf(
  api: Api,
  entity: Entity,
  write: Write,
  without: readonly string[] = [],
): Data {
  const columns = writtenColumns(api, entity, write).filter(({ name }) => !without.includes(name))
  const required = requiredColumns(api, entity, write).filter((name) => !without.includes(name))
  return bodyObject(
    api,
    { ...propertiesOf(columns), ...writtenBeside(api, entity, write) },
    required,
  )
}

/** Lists the members of bodies besides fields. */
export const writtenBeside = (api: Api, entity: Entity, write: Write): Data =>
  Object.assign({}, ...[...api.parts.values()].map(({ written }) => written?.(api, entity, write)))

export const propertiesOf = (columns: readonly Column[]): Data =>
  Object.fromEntries(columns.map((column) => [column.name, writtenSchema(column)]))

/** A body that makes a record, but for the ids in it. */
function exampleOf(api: Api, entity: Entity): Data {
  const columns = writtenColumns(api, entity, 'store').filter(isRequired)
  return Object.fromEntries(
    columns.map((column) => [
      column.name,
      column.role === 'foreign' ? foreignSample(column) : sampleValue(column),
    ]),
  )
}

const foreignSample = ({ kind }: Column) => keyOf(kind).sample

/** The fields that a 422 can name: what a body may hold, what hooks fill, and what is unique. Hooks may name others. */
function validationError(api: Api, entity: Entity): Data {
  const together = new Set((entity.unique ?? []).flat())
  const names = entity.columns
    .filter(({ role, given }) => role !== 'id' || given !== undefined)
    .filter(({ readonly, unique, role, name }) => {
      return !readonly || unique || role === 'foreign' || together.has(name)
    })
    .map(({ name }) => name)
  const hasMore = Object.keys(writtenBeside(api, entity, 'store')).length > 0
  return errorsOf(api, names, !entity.hasHooks && !hasMore)
}

/** A 422 that names these fields, or any where hooks may name others, or a body was strange. */
export function errorsOf(api: Api, names: readonly string[], isClosed = true): Data {
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  const errors = {
    properties,
    ...(isClosed && !isStrict(api) ? { additionalProperties: false } : {}),
  }
  return { allOf: [schema('Error'), { properties: { errors } }] }
}

/** Columns that a record below its parent has from it. */
export function parentColumns({ kind, pivot, foreignKey, morphType }: Relation): readonly string[] {
  if (kind === 'belongsTo' || pivot !== null) return []
  return [foreignKey, ...(morphType === null ? [] : [morphType])]
}

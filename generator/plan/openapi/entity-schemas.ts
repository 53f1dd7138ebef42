import type { Column, Entity, Relation } from '../../blueprint/types.js'
import { isShown } from '../views/repository.js'
import { isRequired, sampleValue } from '../views/sample.js'
import { schema, type Api } from './api.js'
import { shownSchema, writtenSchema } from './column-schema.js'
import { requiredColumns, writtenColumns, type Write } from './columns.js'
import type { Data } from './facts.js'
import { objectOf } from './object.js'
import { relatedRecord, relationshipsOf } from './relationship-schemas.js'

type Schemas = Readonly<Record<string, Data>>

/** The schemas of one repository. */
export function entitySchemas(api: Api, entity: Entity): Schemas {
  const name = api.prefix(entity)
  const relationships = relationshipsOf(api, entity)
  const hasRelated = Object.keys(relationships).length > 0
  return {
    [name]: attributes(entity),
    [`${name}Resource`]: resource(api, entity),
    [`${name}Related`]: { ...relatedRecord(api, entity), ...titleOf(entity) },
    ...(hasRelated ? { [`${name}Relationships`]: objectOf(relationships) } : {}),
    [`${name}Page`]: pageOf(schema(`${name}Resource`)),
    ...bodies(api, entity, name),
    [`${name}ValidationError`]: validationError(entity),
  }
}

export function attributes({ columns, description }: Entity): Data {
  const shown = columns.filter(isShown).map((column) => [column.name, shownSchema(column)])
  const about = description === undefined ? {} : { description }
  return {
    ...about,
    type: 'object',
    properties: Object.fromEntries(shown),
    additionalProperties: false,
  }
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
 * A record that was asked for: it has all attributes that no gate hides, and its flags. What is required stands beside `allOf`:
 * makers of types look for it there.
 */
function resource(api: Api, entity: Entity): Data {
  const names = alwaysShown(api, entity)
  const name = api.prefix(entity)
  const attributes = { allOf: [schema(name)], required: [...names] }
  const properties = { ...(names.length === 0 ? {} : { attributes }), meta: schema('Meta') }
  return { allOf: [schema(`${name}Related`), { properties, required: ['meta'] }] }
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
  allOf: [schema('Page'), { properties: { data: { type: 'array', items } } }],
})

/** What is sent. Where a new record takes what a changed one does, the fields are told once. */
function bodies(api: Api, entity: Entity, name: string): Schemas {
  const update = namesOf(writtenColumns(api, entity, 'patch'))
  const store = namesOf(writtenColumns(api, entity, 'store'))
  const whole = (write: Write): Data => ({
    allOf: [schema(`${name}Patch`)],
    required: [...requiredColumns(api, entity, write)],
  })
  const isSame = update.join() === store.join()
  const example = exampleOf(api, entity)
  const replace = requiredColumns(api, entity, 'replace').length === 0
  return {
    [`${name}Store`]: {
      ...(isSame && requiredColumns(api, entity, 'store').length > 0
        ? whole('store')
        : bodyOf(api, entity, 'store')),
      ...(Object.keys(example).length === 0 ? {} : { examples: [example] }),
    },
    [`${name}Replace`]: replace ? bodyOf(api, entity, 'replace') : whole('replace'),
    [`${name}Patch`]: bodyOf(api, entity, 'patch'),
  }
}

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name)

/** A body as one object; below a parent, without the columns that are the parent's. */
export function bodyOf(
  api: Api,
  entity: Entity,
  write: Write,
  without: readonly string[] = [],
): Data {
  const columns = writtenColumns(api, entity, write).filter(({ name }) => !without.includes(name))
  const required = requiredColumns(api, entity, write).filter((name) => !without.includes(name))
  return objectOf(propertiesOf(columns), required)
}

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

const foreignSample = ({ kind }: Column) =>
  kind === 'uuid' ? '11111111-1111-4111-8111-111111111111' : '1'

/** The fields that a 422 can name: what a body may hold, what hooks fill, and what is unique. Hooks may name others. */
function validationError(entity: Entity): Data {
  const together = new Set((entity.unique ?? []).flat())
  const names = entity.columns
    .filter(({ role }) => role !== 'id')
    .filter(({ readonly, unique, role, name }) => {
      return !readonly || unique || role === 'foreign' || together.has(name)
    })
    .map(({ name }) => name)
  return errorsOf(names, !entity.hasHooks)
}

/** A 422 that names these fields, or any where hooks may name others. */
export function errorsOf(names: readonly string[], isClosed = true): Data {
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  const errors = { properties, ...(isClosed ? { additionalProperties: false } : {}) }
  return { allOf: [schema('Error'), { properties: { errors } }] }
}

/** Columns that a record below its parent has from it. */
export function parentColumns({ kind, pivot, foreignKey, morphType }: Relation): readonly string[] {
  if (kind === 'belongsTo' || pivot !== null) return []
  return [foreignKey, ...(morphType === null ? [] : [morphType])]
}

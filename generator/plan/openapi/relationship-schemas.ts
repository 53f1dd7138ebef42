import type { Entity, Relation } from '../../blueprint/types.js'
import { isShown } from '../views/repository.js'
import { isToMany, once, schema, type Api } from './api.js'
import { shownSchema } from './column-schema.js'
import type { Data } from './facts.js'

/** What `include` may name of a repository, and how it is answered. */
export const relationshipsOf = once((api, entity): Data => {
  const { relations, morphs = [], computed, members } = entity
  const stored = relations.map((relation) => [relation.key, relationship(api, relation)])
  const towards = morphs.map(({ key, targets, description }) => [
    key,
    described(description, { anyOf: [...targets.map((target) => related(api, target)), nothing] }),
  ])
  const answered = computed.map(({ key }) => [key, {}])
  const named = members.map(({ key, of }) => [
    key,
    of === 'field' ? field(entity, key) : member(api, entity, key),
  ])
  return Object.fromEntries([...stored, ...towards, ...answered, ...named])
})

const nothing = { type: 'null' }

const related = (api: Api, key: string) => schema(`${api.prefix(api.project.entity(key))}Related`)

function relationship(api: Api, relation: Relation): Data {
  const { target, pivot, description } = relation
  if (!isToMany(relation)) {
    return described(description, { anyOf: [related(api, target), nothing], ...columnOf(relation) })
  }
  const items =
    pivot === null ? related(api, target) : withPivots(api, relation, related(api, target))
  return described(description, { type: 'array', items })
}

/** The column that points at the record, for the page about the API, where its name does not say so. */
function columnOf({ kind, key, foreignKey }: Relation): Data {
  return kind === 'belongsTo' && foreignKey !== `${key}_id` ? { 'x-column': foreignKey } : {}
}

/** A record with the fields of its pivot. */
export function withPivots(api: Api, { pivot }: Relation, record: Data): Data {
  const shown = pivot === null ? [] : api.project.pivot(pivot.table).fields.filter(isShown)
  const properties = Object.fromEntries(shown.map((column) => [column.name, shownSchema(column)]))
  const pivots = {
    type: 'object',
    properties,
    ...(shown.length === 0 ? {} : { required: shown.map(({ name }) => name) }),
    additionalProperties: false,
  }
  return { allOf: [record, { type: 'object', properties: { pivots }, required: ['pivots'] }] }
}

/** As in the attributes, and null where a gate hides it. */
function field({ columns }: Entity, key: string): Data {
  const column = columns.find(({ name }) => name === key)
  return column === undefined ? {} : shownSchema(column)
}

function member(api: Api, { relations }: Entity, key: string): Data {
  const relation = relations.find(({ name }) => name === key)
  return relation === undefined ? {} : relationship(api, relation)
}

const described = (description: string | undefined, data: Data): Data =>
  description === undefined ? data : { description, ...data }

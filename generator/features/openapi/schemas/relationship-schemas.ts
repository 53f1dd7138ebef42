import type { Entity, Relation } from '../../../blueprint/types.js'
import { answerShape } from '../../../plan/answer-shape.js'
import { isShown } from '../../../plan/views/repository.js'
import { isToMany, once, type Api } from '../api.js'
import type { Data } from '../facts.js'
import { answerSchema } from './answer-schema.js'
import { idSchema, shownSchema } from './column-schema.js'
import { objectOf } from './object.js'
import { schema } from './references.js'

/** The relations of `include`, and their answers. */
export const relationshipsOf = once((api, entity): Data => {
  const { relations, morphs = [], computed, members } = entity
  const stored = relations.map((relation) => [relation.key, relationship(api, relation)])
  const towards = morphs.map(({ key, targets, description }) => [
    key,
    described(description, { anyOf: [...targets.map((target) => related(api, target)), nothing] }),
  ])
  const answered = computed.map(({ key, answer }) => [key, answerSchema(answerShape(answer))])
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
    pivot === null
      ? related(api, target)
      : relatedRecord(api, api.project.entity(target), { pivots: pivotsOf(api, relation) })
  return described(description, { type: 'array', items })
}

/**
 * A record below another: `include` may name some attributes only, and an index leaves its flags out.
 *
 * @param more Members that it has besides. Tools that resolve references give up where `allOf` adds them to a schema that
 * leads back to itself.
 */
export function relatedRecord(api: Api, entity: Entity, more: Data = {}): Data {
  const { id, key, relations, morphs = [], computed, members } = entity
  const name = api.prefix(entity)
  const hasRelated = [relations, morphs, computed, members].some(({ length }) => length > 0)
  const properties = {
    id: idSchema(id),
    type: { const: key },
    attributes: schema(name),
    ...(hasRelated ? { relationships: schema(`${name}Relationships`) } : {}),
    meta: schema('Meta'),
    ...more,
  }
  return objectOf(properties, ['id', 'type', 'attributes', ...Object.keys(more)])
}

/** The column that points at the record, for the page about the API, where its name does not say so. */
function columnOf({ kind, key, foreignKey }: Relation): Data {
  return kind === 'belongsTo' && foreignKey !== `${key}_id` ? { 'x-column': foreignKey } : {}
}

/** A record with the fields of its pivot. */
export function withPivots(api: Api, relation: Relation, record: Data): Data {
  return { allOf: [record, objectOf({ pivots: pivotsOf(api, relation) }, ['pivots'])] }
}

function pivotsOf(api: Api, { pivot }: Relation): Data {
  const shown = pivot === null ? [] : api.project.pivot(pivot.table).fields.filter(isShown)
  const properties = Object.fromEntries(shown.map((column) => [column.name, shownSchema(column)]))
  return {
    type: 'object',
    properties,
    ...(shown.length === 0 ? {} : { required: shown.map(({ name }) => name) }),
    additionalProperties: false,
  }
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

import { singularOf, studly } from '../../../blueprint/names/names.js'
import type { Entity } from '../../../blueprint/types.js'
import type { KnownRoute, Operation as Name } from '../../../plan/routes/routes.js'
import { isToMany, type Api } from '../api.js'
import type { Data } from '../facts.js'
import { bodyOf, pageOf, parentColumns } from '../schemas/entity-schemas.js'
import { indexParameters, parametersOfAny, showParameters } from '../schemas/parameters.js'
import { response, schema } from '../schemas/references.js'
import { withPivots } from '../schemas/relationship-schemas.js'
import type { Operation } from './operation.js'
import { attempts, conflicts, deniedStatuses, securityOf, verbs } from './resource-operations.js'
import { bodyFailures, json, responses, sent } from './statuses.js'

/** The records below one, by the key of the relation. */
export function relatedOperation(api: Api, entity: Entity, key: string, name: Name): Operation {
  const targets = targetsOf(api, entity, key)
  // As the client calls its functions: many comments, and one comment.
  const named = name === 'index' ? key : singularOf(key)
  const what = named.replaceAll(/[-_]/g, ' ')
  const common = {
    operationId: `${verbs[name]}${studly(named)}Of${entity.name}`,
    tag: entity.key,
    ...securityOf(api, name, [entity, ...targets]),
  }
  const of = (verb: string) => ({ ...common, summary: `${verb} ${what} of ${entity.singular}` })
  const answer = answerOf(api, entity, key)
  const denied = deniedStatuses(api)
  switch (name) {
    case 'index':
      return {
        ...of('List'),
        parameters: listParameters(api, entity, key),
        responses: responses({ 200: answer.page }, [400, 401, 404]),
      }
    case 'show':
      return {
        ...of('Show'),
        parameters: parametersOfAny(api, targets, showParameters),
        responses: responses({ 200: answer.one }, [400, 401, 404]),
      }
    case 'delete':
      return {
        ...of('Delete'),
        responses: responses({ 204: response('204') }, [
          ...[400, 404, ...denied],
          ...(targets.some((target) => api.pointedAt.has(target.key)) ? [409] : []),
        ]),
      }
    default: {
      const success = name === 'store' ? { 201: answer.stored } : { 200: answer.plain }
      const failing = [
        ...[...bodyFailures, 404, ...denied],
        ...targets.flatMap((target) => [...conflicts(target), ...attempts(api, target)]),
      ]
      return {
        ...of({ store: 'Make', update: 'Replace', patch: 'Change' }[name]),
        body: sent(bodySchema(api, entity, key, name)),
        responses: responses(success, failing, answer.invalid),
      }
    }
  }
}

/** A list of at most one record has nothing to sort. */
function listParameters(api: Api, entity: Entity, key: string): readonly Data[] {
  const relation = entity.relations.find((each) => each.key === key)
  const all = parametersOfAny(api, targetsOf(api, entity, key), indexParameters)
  if (relation !== undefined && isToMany(relation)) return all
  return all.filter(({ $ref, name }) => name !== 'sort' && !String($ref).endsWith('.sort'))
}

/** The repositories behind a relation or a morph. */
export function targetsOf(
  { project }: Api,
  { relations, morphs = [] }: Entity,
  key: string,
): readonly Entity[] {
  const relation = relations.find((each) => each.key === key)
  const keys =
    relation === undefined ? morphs.find((each) => each.key === key)?.targets : [relation.target]
  return (keys ?? []).map((each) => project.entity(each))
}

/** The repositories of which the route reads records. */
export function readBy(api: Api, { does }: KnownRoute): readonly Entity[] {
  if (does.is !== 'resource' && does.is !== 'related') return []
  const { operation, entity } = does
  if (operation !== 'index' && operation !== 'show') return []
  return does.is === 'resource' ? [entity] : targetsOf(api, entity, does.key)
}

function answerOf(api: Api, entity: Entity, key: string) {
  const [target, ...others] = targetsOf(api, entity, key)
  const prefix = target === undefined ? '' : api.prefix(target)
  const relation = entity.relations.find((each) => each.key === key)
  const isPlain = others.length === 0 && (relation?.pivot ?? null) === null
  const shown = isPlain ? prefix : `${api.prefix(entity)}.${key}`
  return {
    page: response(`${shown}.list`),
    one: response(`${shown}.one`),
    plain: response(`${prefix}.one`),
    stored: response(`${prefix}.stored`),
    invalid: `${prefix}.invalid`,
  }
}

const bodyNames = { store: 'Store', update: 'Replace', patch: 'Patch' } as const

function bodySchema(
  api: Api,
  entity: Entity,
  key: string,
  name: 'store' | 'update' | 'patch',
): Data {
  const relation = entity.relations.find((each) => each.key === key)
  if (relation !== undefined && parentColumns(relation).length > 0) {
    return schema(`${api.prefix(entity)}.${key}.${bodyNames[name]}`)
  }
  const [target] = targetsOf(api, entity, key)
  return target === undefined ? {} : schema(api.prefix(target) + bodyNames[name])
}

/** Schemas of bodies below a parent, which gives the columns that point at it. */
export function relatedSchemas(api: Api, entity: Entity): Readonly<Record<string, Data>> {
  const pairs = entity.relations.flatMap((relation) => {
    const without = parentColumns(relation)
    if (without.length === 0) return []
    const target = api.project.entity(relation.target)
    return (['store', 'replace', 'patch'] as const).map((write) => [
      `${api.prefix(entity)}.${relation.key}.${write.charAt(0).toUpperCase()}${write.slice(1)}`,
      bodyOf(api, target, write, without),
    ])
  })
  return Object.fromEntries(pairs)
}

/** Answers with pivots, and those of one of several repositories. */
export function relatedResponses(api: Api, entity: Entity): Readonly<Record<string, Data>> {
  const schemaName = (key: string) => `${api.prefix(entity)}.${key}`
  const resource = (key: string) => schema(`${api.prefix(api.project.entity(key))}Resource`)
  const through = entity.relations.flatMap((relation) => {
    if (relation.pivot === null) return []
    return answers(schemaName(relation.key), withPivots(api, relation, resource(relation.target)))
  })
  const towards = (entity.morphs ?? []).flatMap(({ key, targets }) => {
    if (targets.length < 2) return []
    return answers(schemaName(key), { anyOf: targets.map(resource) })
  })
  return Object.fromEntries([...through, ...towards])
}

function answers(name: string, record: Data) {
  const one = { type: 'object', properties: { data: record }, required: ['data'] }
  return [
    [`${name}.one`, json('The record.', one)],
    [`${name}.list`, json('A page of the records.', pageOf(record))],
  ] as const
}

/** The repositories of which a route lists many records. */
export function listedBy(api: Api, { does }: KnownRoute): readonly Entity[] {
  if (does.is !== 'resource' && does.is !== 'related') return []
  if (does.operation !== 'index') return []
  const { entity } = does
  if (does.is === 'resource') return [entity]
  const relation = entity.relations.find(({ key }) => key === does.key)
  return relation !== undefined && isToMany(relation) ? targetsOf(api, entity, does.key) : []
}

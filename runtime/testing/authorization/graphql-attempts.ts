import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql'
import type { Entity } from '../../model/entity.js'
import type { Row, Values } from '../tested.js'
import { newBody, partBody, pointedNames } from './bodies.js'
import type { Relation } from './decided.js'
import { changeOf, fitting, relatedValue } from './graphql-input.js'
import {
  ask,
  countIn,
  isCounted,
  isPage,
  valueOf,
  type Field,
  type FoundPage,
  type Kind,
} from './graphql-request.js'
import type { Line } from './line.js'
import { idsOn } from './lists.js'
import { allowed, hidden, type Trial } from './outcome.js'
import { pairings } from './pairings.js'
import { definitionOf } from './project.js'
import { rowNamed, stageOf, type Scene } from './scene.js'

type Attempt = Line['attempt']

/**
 * Returns the attempt at a root field of a repository; null: nobody knows its arguments. `about`:
 * the relation that its name names.
 */
export function attemptOf(
  kind: Kind,
  field: Field,
  of: string,
  about: readonly [key: string, Relation] | undefined,
): Attempt | null {
  const { args, type } = field
  const hasId = args.some((arg) => arg.name === 'id')
  if (hasId && about !== undefined) return onPairs(field, of, ...about)
  if (hasId) return onRows(kind, field, of)
  const input = args.find(
    (arg) => isInputObjectType(getNamedType(arg.type)) && isNonNullType(arg.type),
  )
  const isKeyed = input !== undefined && 'id' in fieldsIn(input.type)
  const isMany = /^(update|delete)\w+List$/.test(field.name) && kind === 'mutation'
  if (isMany && (isKeyed || input === undefined)) return onMany(field, of)
  if (input !== undefined) return storing(field, of, input.name, input.type)
  if (kind === 'query' && isCounted(type)) return counting(field, of)
  if (kind === 'query' && isListType(getNullableType(type))) return listing(field, of)
  if (kind === 'query' && isPage(type)) return walking(field, of)
  return kind === 'query' && String(getNamedType(type)) === 'Int' ? counting(field, of) : null
}

function onRows(kind: Kind, field: Field, of: string): Attempt {
  const input = field.args.find(({ type }) => isInputObjectType(getNamedType(type)))
  return async (stage) => {
    const trials: Trial[] = []
    for (const name of Object.keys(await (await stage.scene()).rows(of))) {
      const scene = await stage.scene()
      const row = rowNamed(await scene.rows(of), name)
      const sent = input && { [input.name]: await changeOf(scene, of, row, input.type) }
      const pointers = input === undefined ? [] : (await partBody(scene, of)).pointers
      await scene.project.prepared?.(scene.project, field.name, of, row.id)
      const given = { ...ofMeta(scene, field, of, row), ...sent, id: row.id }
      const tried = await ask(scene, kind, field, given, pointers)
      trials.push({ row: [name], outcome: tried })
      if (kind === 'mutation') stage.leave()
    }
    return trials
  }
}

const bare = (type: GraphQLInputType) => getNullableType(type)

function fieldsIn(type: GraphQLInputType): object {
  const named = getNamedType(type)
  return isInputObjectType(named) ? named.getFields() : {}
}

/** Each row in a list of its own: changed where the input takes more than what names it. */
function onMany(field: Field, of: string): Attempt {
  const input = field.args.find(({ type }) => isInputObjectType(getNamedType(type)))
  const isChange = input !== undefined && field.name.startsWith('update')
  return async (stage) => {
    const trials: Trial[] = []
    for (const name of Object.keys(await (await stage.scene()).rows(of))) {
      const scene = await stage.scene()
      const row = rowNamed(await scene.rows(of), name)
      const { many } = scene.project
      const entity = definitionOf(scene.project, of)
      const values = isChange ? (await partBody(scene, of)).values : {}
      const made = many?.patch(entity, row, values) as readonly Values[] // one
      const list = input === undefined ? [] : made.map((each) => fitting(each, input.type))
      const given = input === undefined ? { ids: [String(row.id)] } : { [input.name]: list }
      const pointers = isChange ? (await partBody(scene, of)).pointers : []
      trials.push({ row: [name], outcome: await ask(scene, 'mutation', field, given, pointers) })
      stage.leave()
    }
    return trials
  }
}

/** Arguments that must be given and are called as a member of `meta`: what the row has. */
function ofMeta({ project }: Scene, { args }: Field, of: string, row: Row): Values {
  const { extensions } = definitionOf(project, of)
  const members = new Map(extensions.flatMap(({ says }) => Object.entries(says?.meta ?? {})))
  const values: Values = { ...row }
  const asked = args.filter(({ name, type }) => isNonNullType(type) && members.has(name))
  return Object.fromEntries(asked.map(({ name }) => [name, values[members.get(name) ?? '']]))
}

function storing(field: Field, of: string, input: string, type: GraphQLInputType): Attempt {
  return async (stage) => {
    const names = await pointedNames(await stage.scene(), of, [])
    const trials: Trial[] = []
    for (const name of names.length === 0 ? [undefined] : names) {
      const scene = await stage.scene()
      const { values: plain, pointers } = await newBody(scene, of, name)
      const { many } = scene.project
      const entity = definitionOf(scene.project, of)
      const { given, values } = named(field, entity, plain)
      const isMany = isListType(bare(type)) && many !== undefined
      const [one] = (isMany ? many.store(entity, values) : [values]) as readonly Values[]
      const sent = {
        ...given,
        [input]: isMany ? [fitting(one ?? {}, type)] : fitting(values, type),
      }
      const row = name === undefined ? [] : [name]
      const wrong = isMany ? [...pointers, ...many.never(entity)] : pointers
      trials.push({ row, outcome: await ask(scene, 'mutation', field, sent, wrong) })
      stage.leave()
    }
    return trials
  }
}

/**
 * Returns the name of a key, where a field wants it as well, `company_id_code`: one that the record
 * has.
 */
function named(field: Field, entity: Entity, values: Values) {
  for (const { name, type } of field.args) {
    const words = getNamedType(type)
    if (!isNonNullType(type) || !isEnumType(words)) continue
    const all = words.getValues().map((each) => each.name)
    const has = [...Object.keys(values), ...(entity.relations?.filledColumns ?? [])]
    const word = all.find((each) => namesIn(each, has) !== null) ?? all[0] ?? ''
    const missing = (namesIn(word, [...entity.columns.keys()]) ?? []).filter(
      (each) => !has.includes(each),
    )
    const more = Object.fromEntries(missing.map((each) => [each, 'k1']))
    return { given: { [name]: word }, values: { ...values, ...more } }
  }
  return { given: {}, values }
}

/** The names that a word is made of; null: others, too. */
function namesIn(word: string, known: readonly string[]): readonly string[] | null {
  for (const name of known) {
    if (word === name) return [name]
    const rest = word.startsWith(`${name}_`) ? namesIn(word.slice(name.length + 1), known) : null
    if (rest !== null) return [name, ...rest]
  }
  return null
}

function listing(field: Field, of: string): Attempt {
  const isPaged = field.args.some(({ name }) => name === 'page')
  return async (stage) => {
    const scene = await stage.scene()
    const rows = Object.entries(await scene.rows(of))
    const ids = new Set<string>()
    for (let page = 1; ; page++) {
      const answer = await valueOf(scene, 'query', field, isPaged ? { first: 100, page } : {})
      if (!('value' in answer)) return rows.map(([name]) => ({ row: [name], outcome: answer }))
      const found = answer.value as readonly { readonly id: string }[] // it is a list of records
      for (const { id } of found) ids.add(id)
      if (!isPaged || found.length === 0) break
    }
    return listed(rows, ids)
  }
}

/** Tries a list by pages, each of which says where the next one begins. */
function walking(field: Field, of: string): Attempt {
  return async (stage) => {
    const scene = await stage.scene()
    const rows = Object.entries(await scene.rows(of))
    const ids = new Set<string>()
    let from: object = {}
    for (;;) {
      const answer = await valueOf(scene, 'query', field, { first: 100, ...from })
      if (!('value' in answer)) return rows.map(([name]) => ({ row: [name], outcome: answer }))
      const { data, nextCursor } = answer.value as FoundPage // what was selected
      for (const { id } of data) ids.add(id)
      if (nextCursor === null) return listed(rows, ids)
      from = { after: nextCursor }
    }
  }
}

/** Counts what the index lists. */
function counting(field: Field, of: string): Attempt {
  return async (stage) => {
    const scene = await stage.scene()
    const rows = Object.entries(await scene.rows(of))
    const answer = await valueOf(scene, 'query', field, {})
    if (!('value' in answer)) return [{ row: [], outcome: answer }]
    const ids = await idsOn(scene, `/api/svc/${of}`)
    const count = countIn(answer.value)
    if (ids instanceof Set && ids.size === count) return listed(rows, ids)
    return [{ row: [], outcome: count === 0 ? hidden : allowed }]
  }
}

const listed = (rows: readonly (readonly [string, Row])[], ids: ReadonlySet<string>) =>
  rows.map(([name, { id }]) => ({ row: [name], outcome: ids.has(String(id)) ? allowed : hidden }))

function onPairs(field: Field, of: string, key: string, relation: Relation): Attempt {
  return async (stage) => {
    const trials: Trial[] = []
    for (const { row, make } of await pairings(stage, of, relation)) {
      const isLinked = field.name.startsWith('detach')
      const pair = await make(stageOf(stage.project, stage.role), isLinked)
      const others = field.args.filter(({ name }) => name !== 'id')
      const sent = others.map(({ name, type }) => {
        return [name, relatedValue(name, type, pair.related, relation)] as const
      })
      const given = { id: pair.parent.id, ...Object.fromEntries(sent) }
      // Errors speak of the relation, as REST's do.
      const pointers = [key, ...others.map(({ name }) => name)]
      trials.push({ row, outcome: await ask(pair.scene, 'mutation', field, given, pointers) })
    }
    return trials
  }
}

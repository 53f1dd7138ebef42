/** Tests that may tell a policy from a weaker one, for what a rule, a gate or a question about two records says. */

import { z } from 'zod'
import { relatedOf, targetOf } from '../../features/relations/entries.js'
import type { Entity, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { isCondition } from '../../policy/condition-sql.js'
import { passes } from '../../policy/gates.js'
import { all } from '../../policy/predicate.js'
import { type Project, relationOf, tested } from '../authorization/project.js'
import { apart, type Found, type Samples } from './apart.js'
import { type Flat, flatTest, NotFlat, relatedIs, type State } from './flat.js'
import type { About, Asker, Rule } from './missing-test-types.js'
import { literal, type Reference, type Scenario, type Value, type Values } from './scenario.js'
import { SceneWriter } from './scene-writer.js'

export interface Asked {
  readonly project: Project
  readonly samples: Samples
  /** A row that factories made, by the names of its fields. */
  readonly sampleOf: (entity: Entity) => Promise<Row>
}

/** The answers of a rule without the mutant and with it. */
export type Pair = readonly [unknown, unknown]

const methods = { show: 'GET', store: 'POST', update: 'PATCH', updateTo: 'PATCH', delete: 'DELETE' }

export const requestOfRule = ({ key }: Entity, rule: Rule): string =>
  `${methods[rule]} /api/svc/${key}${rule === 'store' ? '' : '/:id'}`

export async function ruleScenarios(
  asked: Asked,
  about: About,
  pair: Pair,
): Promise<readonly Scenario[]> {
  const written: Scenario[] = []
  for (const state of statesOf(about.entity, about.rule)) {
    for (const found of await foundApart(asked, about, state, pair)) {
      written.push(await scenarioOf(asked, about, state, found))
    }
  }
  return written
}

/** Lists the states that a rule asks about: the record as it is, and as a body leaves it. */
function statesOf({ policy }: Entity, rule: Rule): readonly State[] {
  if (rule === 'updateTo') return ['after']
  return rule === 'update' && policy.updateTo === undefined ? ['before', 'after'] : ['before']
}

async function scenarioOf(
  asked: Asked,
  { entity, asker, rule }: About,
  state: State,
  found: Found,
): Promise<Scenario> {
  const writer = new SceneWriter(asked.project, asker, found)
  const id = rule === 'store' ? null : writer.record('before', entity)
  const body =
    rule === 'store' ? await newBody(asked, writer, entity) : changes(writer, entity, state)
  const isRead = rule === 'show' || rule === 'delete'
  const { words, steps } = writer
  // A body speaks for itself.
  const said = rule === 'store' ? words.filter((each) => each.startsWith('its ')) : words
  return {
    ...{ asker, entity, steps, method: methods[rule], id, rest: '', field: null },
    ...{ body: isRead ? null : body, words: said.join(', ') },
  }
}

function changes(writer: SceneWriter, entity: Entity, state: State): Values {
  return state === 'before' ? {} : writtenOf(writer, 'after', entity)
}

/** Returns the body for values that the database found; the server fills the rest. */
function writtenOf(writer: SceneWriter, alias: string, entity: Entity): Values {
  const columns = writer.columns(alias, entity)
  const pointers = writer.pointers(alias, entity)
  const known = Object.entries({ ...columns, ...pointers })
  return Object.fromEntries(known.filter(([name]) => Object.hasOwn(entity.rules, name)))
}

/** All that a new record needs. */
async function newBody(asked: Asked, writer: SceneWriter, entity: Entity): Promise<Values> {
  const { project } = asked
  const sample = await asked.sampleOf(entity)
  const body: Record<string, Value> = {}
  const said = writtenOf(writer, 'before', entity)
  for (const name of neededBy(project, entity)) {
    if (Object.hasOwn(said, name)) continue
    const target = entity.relations?.targets.get(name)?.()?.definition
    body[name] =
      target === undefined ? { literal: sample[name] ?? null, isFresh: true } : writer.make(target)
  }
  return { ...body, ...said }
}

/** Required fields that no hook fills. */
function neededBy(project: Project, { key, hooks }: Entity): readonly string[] {
  const filled = { ...hooks?.fill, ...hooks?.fillOnStore }
  return tested(project, key).required.filter((name) => !Object.hasOwn(filled, name))
}

/** Fields that are shown, or written. */
export async function gateScenarios(
  asked: Asked,
  about: About,
  field: string,
): Promise<readonly Scenario[]> {
  const { entity, asker, rule } = about
  const answer = await entity.policy[rule]?.(asker.user)
  const [found] = await foundApart(asked, about, 'before', [answer, false])
  if (found === undefined) return []
  const scenario = () => scenarioOf(asked, about, 'before', found)
  if (rule === 'show') {
    const isRelated = !entity.attributes.includes(field)
    return [{ ...(await scenario()), field, rest: isRelated ? `?include=${field}` : '' }]
  }
  const target = entity.relations?.targets.get(field)?.()?.definition
  const written: Scenario[] = []
  for (const value of target === undefined ? valuesOf(asked, entity, field) : [null]) {
    const made = await scenario()
    const { [field]: _, ...body } = made.body ?? {}
    if (target === undefined) {
      written.push({ ...made, field, body: { ...body, [field]: literal(value) } })
      continue
    }
    const writer = new SceneWriter(asked.project, asker, found, made.steps)
    const sent = { ...body, [field]: writer.make(target) }
    written.push({ ...made, field, steps: writer.steps, body: sent })
  }
  return written
}

/** Values that the field takes, short ones: people read them. */
function valuesOf({ project }: Asked, entity: Entity, field: string): readonly unknown[] {
  const edges = getOwn(tested(project, entity.key).fields, field) ?? []
  const isShort = (value: unknown) => value !== '' && JSON.stringify(value).length < 40
  const all = ['another', 7, ...edges].filter(
    (value) => isShort(value) && takes(entity, field, value),
  )
  return [...new Set(all)].slice(0, 6)
}

function takes(entity: Entity, field: string, value: unknown): boolean {
  const rule = getOwn(entity.rules, field)
  try {
    return rule === undefined || z.core.safeParse(rule, value).success
  } catch {
    // A rule that waits says nothing here.
    return true
  }
}

/** Two records that are attached, detached, or stand for all of them. */
export async function pairScenarios(
  asked: Asked,
  entity: Entity,
  asker: Asker,
  verb: string,
  key: string,
): Promise<readonly Scenario[]> {
  const link = relatedOf(entity)?.links.get(key)
  if (link === undefined) return []
  const target = targetOf(link)
  const [parent] = await seenBy(asked, entity, asker)
  const [related] = await seenBy(asked, target, asker)
  if (parent === undefined || related === undefined) return []
  const writer = new SceneWriter(asked.project, asker, parent)
  const id = writer.record('before', entity)
  const other = new SceneWriter(asked.project, asker, related, writer.steps)
  const one = other.record('before', target)
  if (id === null || one === null) return []
  if (verb === 'detach') other.link('', link, id, one)
  const named = { list: [{ ...one, isText: true } satisfies Reference] }
  const { values = {} } = relationOf(asked.project, entity.key, key) ?? {}
  const given = Object.entries(values).map(([name, value]) => [name, literal(value)] as const)
  const body = { [key]: named, ...(verb === 'detach' ? {} : Object.fromEntries(given)) }
  const rest = `/${verb}/${key}`
  const { steps } = other
  const words = [...writer.words, ...other.words].join(', ')
  return [{ asker, entity, steps, method: 'POST', id, rest, body, field: null, words }]
}

async function seenBy(asked: Asked, entity: Entity, asker: Asker): Promise<readonly Found[]> {
  const answer = await entity.policy.show?.(asker.user)
  return foundApart(asked, { entity, asker, rule: 'show' }, 'before', [answer, false])
}

/** Only records that are reached count: those that one sees and may change, and what one may point at. */
async function foundApart(
  { samples, project }: Asked,
  { entity, asker: { user }, rule }: About,
  state: State,
  [one, other]: Pair,
): Promise<readonly Found[]> {
  const isSent = rule === 'store' || state === 'after'
  const changing = new Set(state === 'after' ? writable(entity, 'canUpdate', user) : [])
  const flat: Flat = { records: new Map(), changing }
  const answer = (given: unknown) => isCondition(given) && given
  const test = (given: unknown, at: State) => flatTest(flat, entity, answer(given), at)
  const tests = [test(one, state), test(other, state)] as const
  const guards = []
  if (rule !== 'show' && rule !== 'store') {
    guards.push(test(await entity.policy.show?.(user), 'before'))
  }
  if (state === 'after' && rule !== 'update') {
    guards.push(test(await entity.policy.update?.(user), 'before'))
  }
  if (rule === 'store') guards.push(...ofNew(project, flat, entity, user))
  // The record as it is passed, with and without the mutant.
  if (state === 'after' && rule === 'update') guards.push(test(one, 'before'))
  for (const [alias, record] of isSent ? [...flat.records] : []) {
    const { link, path } = record
    if (path.length !== 1 || link?.relation.kind !== 'belongsTo') continue
    const isPointed = rule === 'store' || changing.has(link.relation.foreignKey)
    if (!isPointed) continue
    guards.push(relatedIs(flat, alias, answer(await record.entity.policy.show?.(user))))
  }
  const found = await apart(entity, flat, all({ entity }, guards), tests, samples)
  if (found === 'undecided') throw new NotFlat()
  return found
}

/**
 * Returns the facts about every new record of this user: columns that no body writes, and records
 * that it must name.
 */
function ofNew(project: Project, flat: Flat, entity: Entity, user: unknown) {
  const guards = []
  const needed = neededBy(project, entity)
  const filled = new Set<string>()
  for (const [key, { relation }] of relatedOf(entity)?.links ?? []) {
    if (relation.kind !== 'belongsTo') continue
    if (relation.filledBy === 'user') {
      filled.add(relation.foreignKey)
      const id = (user as Row | null)?.['id']
      guards.push(flatTest(flat, entity, { [relation.foreignKey]: id }, 'before'))
    } else if (needed.includes(relation.foreignKey)) {
      guards.push(flatTest(flat, entity, { [key]: { is: true } }, 'before'))
    }
  }
  const sent = new Set(writable(entity, 'canStore', user))
  const { fill, fillOnStore } = entity.hooks ?? {}
  for (const [name] of flat.records.get('before')?.columns ?? []) {
    const field = [...entity.columns.values()].find((each) => each.name === name)?.field ?? name
    const isMade = filled.has(field) || Object.hasOwn({ ...fill, ...fillOnStore }, field)
    if (sent.has(field) || isMade || field === entity.id.field) continue
    const start = getOwn(entity.defaults ?? {}, field) ?? { isNull: true }
    guards.push(flatTest(flat, entity, { [field]: start }, 'before'))
  }
  return guards
}

const writable = (
  { rules: fields, policy }: Entity,
  gate: 'canStore' | 'canUpdate',
  user: unknown,
): readonly string[] => Object.keys(fields).filter((name) => passes(policy[gate], name, user))

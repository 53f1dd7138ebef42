import { isDeepStrictEqual } from 'node:util'
import type { Entity, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { answerTest } from '../../policy/condition-sql.js'
import { type Project, definitionOf } from '../authorization/project.js'
import type { Samples } from './apart.js'
import { NotFlat } from './flat.js'
import type { About, Asker, Rule, MissingTest } from './missing-test-types.js'
import { during } from './mutant.js'
import type { Scenario } from './scenario.js'
import {
  type Asked,
  gateScenarios,
  type Pair,
  pairScenarios,
  requestOfRule,
  ruleScenarios,
} from './scenarios.js'
import { requestOf, testText } from './test-text.js'
import { type Expected, isKilledBy, triedWith } from './trial.js'

const rules: readonly Rule[] = ['show', 'store', 'update', 'updateTo', 'delete']
const gates = ['canSee', 'canStore', 'canUpdate'] as const

/** A test that tells some mutant; it may tell others, too. */
interface Told {
  readonly scenario: Scenario
  readonly expected: Expected
  readonly reached: ReadonlySet<string>
  readonly missingTest: MissingTest
}

/** Finds the smallest request that a mutant answers otherwise, and keeps what it found. */
export class MissingTestFinder {
  readonly #told: Told[] = []
  readonly #asked: Asked
  /** Made when the first is asked for: where no time is left, nobody waits for them. */
  #askers: Promise<readonly Asker[]> | null = null

  constructor(readonly project: Project) {
    const rows = new Map<string, Promise<Row>>()
    const sampleOf = ({ key }: Entity) => {
      const made = rows.get(key) ?? (definitionOf(project, key).make({}) as Promise<Row>)
      rows.set(key, made)
      return made
    }
    const samples: Samples = async (entity, field) => {
      const edges = project.repositories.find((each) => each.key === entity.key)
      return [(await sampleOf(entity))[field] ?? null, ...(getOwn(edges?.fields, field) ?? [])]
    }
    this.#asked = { project, samples, sampleOf }
  }

  /** `nothing`: no request that the tests' database could hold tells it. */
  async missingTestOf(id: string): Promise<MissingTest> {
    for (const { scenario, expected, reached, missingTest } of this.#told) {
      if (!reached.has(id)) continue
      if (await isKilledBy(this.project, scenario, expected, id)) return missingTest
    }
    let isReached = false
    let unknown: MissingTest | null = null
    this.#askers ??= askersOf(this.project)
    for (const asker of await this.#askers) {
      for (const { repository } of this.project.repositories) {
        const entity = repository.definition as unknown as Entity
        for (const possible of await possibleFor(this.#asked, id, entity, asker)) {
          isReached = true
          if (possible === null) continue
          const { scenarios, request } = possible
          unknown ??= { kind: 'unknown', request }
          for (const scenario of scenarios) {
            const missingTest = await this.#tried(scenario, id)
            if (missingTest !== null) return missingTest
          }
        }
      }
    }
    return unknown ?? (isReached ? { kind: 'nothing' } : { kind: 'unknown', request: '' })
  }

  async #tried(scenario: Scenario, id: string): Promise<MissingTest | null> {
    const tried = await triedWith(this.project, scenario, id)
    if (tried === null) return null
    const { role, without } = scenario.asker
    const as = without === null ? role : `${role} without ${without}`
    const test = testText(scenario, tried.expected)
    const missingTest: MissingTest = { kind: 'request', as, request: requestOf(scenario), test }
    this.#told.push({ scenario, ...tried, missingTest })
    return missingTest
  }
}

/** Scenarios that may kill it; null: there are none. */
type Possible = { readonly request: string; readonly scenarios: readonly Scenario[] } | null

/** Every role, then users without what they may be without. */
async function askersOf({ roles, decided, repositories }: Project): Promise<readonly Asker[]> {
  const known: Asker[] = []
  for (const [role, make] of Object.entries(roles)) {
    known.push({ role, user: (await make()) as Row | null, without: null })
  }
  const users = repositories.find((each) => each.key === decided.signsIn)
  const entity = users?.repository.definition as unknown as Entity | undefined
  const nullable = [...(entity?.columns.values() ?? [])].filter((column) => column.nullable)
  const others = known.flatMap(({ role, user }) =>
    user === null
      ? []
      : nullable.map(({ field }) => ({ role, user: { ...user, [field]: null }, without: field })),
  )
  return [...known, ...others]
}

async function possibleFor(
  asked: Asked,
  id: string,
  entity: Entity,
  asker: Asker,
): Promise<readonly Possible[]> {
  const found: Possible[] = []
  for (const rule of rules) {
    const method = entity.policy[rule]
    if (method === undefined) continue
    const pair = await answersOf(id, () => method(asker.user))
    if (pair !== null) found.push(await ofRule(asked, { entity, asker, rule }, pair))
  }
  found.push(...(await ofOthers(id, entity, asker)))
  found.push(...(await ofPairs(asked, id, entity, asker)))
  for (const gate of gates) {
    for (const [field, method] of Object.entries(entity.policy[gate] ?? {})) {
      const pair = await answersOf(id, () => method?.(asker.user))
      if (pair !== null) found.push(await ofGate(asked, entity, asker, [gate, field], pair))
    }
  }
  return found
}

async function ofGate(
  asked: Asked,
  entity: Entity,
  asker: Asker,
  [gate, field]: readonly [keyof typeof usedBy, string],
  pair: Pair,
): Promise<Possible> {
  const isOfRow = pair.some((answer) => typeof answer === 'object' && answer !== null)
  const [one, other] = pair.map((answer) => answer === true)
  const isSame = isOfRow ? isDeepStrictEqual(...pair) : one === other
  if (isSame || !(await mayUse(entity, asker, gate))) return null
  const about = { entity, asker, rule: usedBy[gate][0] }
  const request = `${requestOfRule(entity, about.rule)} with ${field}`
  if (isOfRow) return { request, scenarios: [] }
  return written(request, () => gateScenarios(asked, about, field))
}

/** A condition that the database cannot be asked about has a request all the same; `none`: there are no such values. */
async function written(
  request: string,
  write: () => Promise<readonly Scenario[]>,
  none: Possible = { request, scenarios: [] },
): Promise<Possible> {
  try {
    const scenarios = await write()
    return scenarios.length === 0 ? none : { request, scenarios }
  } catch (error) {
    if (error instanceof NotFlat) return { request, scenarios: [] }
    throw error
  }
}

/** Operations that an extension adds: only a test of the owner's knows which records they find. */
async function ofOthers(id: string, entity: Entity, asker: Asker): Promise<readonly Possible[]> {
  const found: Possible[] = []
  for (const { name, method, path } of entity.extensions.flatMap((each) => each.operations ?? [])) {
    const pair = await answersOf(id, () => entity.policy[name]?.(asker.user))
    if (pair === null) continue
    const request = `${method} /api/svc/${entity.key}/:id/${path}`
    const isEqual = isShutOut(entity, asker, 'update') || isDeepStrictEqual(...pair)
    found.push(isEqual ? null : { request, scenarios: [] })
  }
  return found
}

/**
 * Tries the rules about two records: `attachTags`. The user decides a rule that looks at neither.
 */
async function ofPairs(
  asked: Asked,
  id: string,
  entity: Entity,
  asker: Asker,
): Promise<readonly Possible[]> {
  const found: Possible[] = []
  for (const [name, method] of Object.entries(entity.policy)) {
    const [, verb, relation = ''] = /^(attach|detach|sync)(\w+)$/.exec(name) ?? []
    if (verb === undefined || typeof method !== 'function') continue
    let isLookedAt = false
    const record = new Proxy({}, { get: () => void (isLookedAt = true) })
    const ask = method as (...given: readonly unknown[]) => unknown // each of these is a function
    const pair = await answersOf(id, () => ask(asker.user, record, record))
    if (pair === null) continue
    const key = `${relation.charAt(0).toLowerCase()}${relation.slice(1)}`
    const request = `POST /api/svc/${entity.key}/:id/${verb}/${key}`
    const isSame = !isLookedAt && isDeepStrictEqual(...pair)
    const isEqual = isShutOut(entity, asker, 'update') || isSame
    const write = () => pairScenarios(asked, entity, asker, verb, key)
    found.push(isEqual ? null : await written(request, write))
  }
  return found
}

const usedBy = { canSee: ['show'], canStore: ['store'], canUpdate: ['update', 'show'] } as const

/** A field of a record that one may not have at all has no gate. */
async function mayUse(entity: Entity, asker: Asker, gate: keyof typeof usedBy): Promise<boolean> {
  const rules = usedBy[gate]
  if (rules.some((rule) => isShutOut(entity, asker, rule))) return false
  const answers = await Promise.all(rules.map((rule) => entity.policy[rule]?.(asker.user)))
  return answers.every((answer) => {
    const found = answerTest(entity, answer)
    return found === true || (typeof found === 'object' && found !== null && found.mayHold)
  })
}

/** Without and with the mutant; null: it is not in the way. */
async function answersOf(id: string, ask: () => unknown): Promise<Pair | null> {
  const { value, reached } = await during(null, ask)
  if (reached.has(id)) return [value, await withMutant(id, ask)]
  const weak = await during(id, ask)
  return weak.reached.has(id) ? [value, weak.value] : null
}

/** A mutant that fails answers nothing. */
async function withMutant(id: string, ask: () => unknown): Promise<unknown> {
  try {
    return (await during(id, ask)).value
  } catch {
    return false
  }
}

async function ofRule(asked: Asked, about: About, pair: Pair): Promise<Possible> {
  const { entity, asker, rule } = about
  if (isShutOut(entity, asker, rule) || isDeepStrictEqual(...pair)) return null
  const request = requestOfRule(entity, rule)
  return written(request, () => ruleScenarios(asked, about, pair), null)
}

/** Returns true if a token is asked for before any policy is. */
function isShutOut({ settings, isPublic }: Entity, { user }: Asker, rule: Rule): boolean {
  return user === null && settings.requiresToken && (rule !== 'show' || isPublic !== true)
}

import type { RawRow } from '../../database/types.js'
import type { Access, Entity, Question as Rule, Row, Scope } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { accessTo, ask } from '../../policy/access.js'
import { answerTest, isCondition } from '../../policy/condition-sql.js'
import { gateAnswer, maySee } from '../../policy/gates.js'
import { policyFile } from '../../policy/policy-mistake.js'
import { conditionTree } from './condition-tree.js'
import type { Asking, Place, ReadTree } from './leaves.js'
import { marked } from './marks.js'
import { lineOfAnswer, originsOf } from './origins.js'
import type { Tree } from './tree.js'
import { type Audience, type Question, type Step, Unanswerable } from './why-types.js'

/** A rule whose answer is part of the statement. */
export interface AskedStep extends Omit<Step, 'answer' | 'tree'> {
  readonly tree: ReadTree
}

/** @param audience Whom the answer is shown to. */
export function newAsking(access: Access, audience: Audience): Asking {
  const behind = (entity: Entity) => accessTo(access.request, entity)
  return {
    columns: [],
    joins: [],
    origin: () => null,
    showsColumn: (entity, column) => audience === 'command' || maySee(behind(entity), column),
    isDetailed: true,
    showsRecords: (entity) => audience === 'command' || ask(behind(entity), 'show') === true,
  }
}

export const placeIn = (entity: Entity, alias: string): Place => ({
  scope: { entity, alias, file: policyFile(entity), depth: 0 } satisfies Scope,
  at: '',
})

/** A rule of the policy about the table called `alias`; null: about no row, so what it says of some. */
export async function ruleStep(
  access: Access,
  asking: Asking,
  rule: Rule,
  alias: string | null,
  of: Step['of'],
): Promise<AskedStep> {
  const { entity, request } = access
  const method = entity.policy[rule]
  const given = ask(access, rule)
  const answer = await given
  const origins = originsOf(
    given === answer ? method : undefined,
    request.user as Row | null,
    answer,
  )
  const own: Asking = Object.assign({}, asking, {
    origin: (at: string) => origins.byPlace.get(at) ?? null,
  })
  const file = method === undefined ? null : policyFile(entity)
  const line = given === answer ? lineOfAnswer(method, request.user) : undefined
  return {
    rule,
    file,
    ...(line === undefined ? {} : { line }),
    of,
    decidedBy: origins.deciding,
    tree: treeOf(access, own, rule, alias, answer),
  }
}

function treeOf(
  access: Access,
  asking: Asking,
  rule: Rule,
  alias: string | null,
  answer: unknown,
): ReadTree {
  const { entity, request } = access
  if (!isCondition(answer)) {
    const isMissing = entity.policy[rule] === undefined
    const guest = request.user === null ? ', for a guest' : ''
    return decided(
      isMissing ? `no: the policy has no method '${rule}'` : `no, whatever the record${guest}`,
      false,
    )
  }
  if (answer === true) return decided('yes, whatever the record', true)
  return alias === null
    ? someRow(entity, answer)
    : conditionTree(asking, placeIn(entity, alias), answer)
}

/** The part that no record changes. */
const decided =
  (words: string, holds: boolean): ReadTree =>
  () => ({ kind: 'constant', words, verdict: holds ? 'yes' : 'no', decides: true })

/** Stands for a record that no body describes. */
export const bodySays = 'a body says which'

/** Without a row: whether one could pass. */
function someRow(entity: Entity, answer: object): ReadTree {
  const test = answerTest(entity, answer)
  const mayHold = test === true || (typeof test === 'object' && test !== null && test.mayHold)
  const words = mayHold ? `for some records: ${bodySays}` : 'for no record'
  return decided(words, mayHold)
}

export const constantStep = (rule: string, words: string, holds: boolean): AskedStep => ({
  rule,
  file: null,
  of: 'any record',
  decidedBy: [],
  tree: decided(words, holds),
})

const gates: Readonly<Record<string, 'canSee' | 'canStore' | 'canUpdate'>> = {
  show: 'canSee',
  store: 'canStore',
  update: 'canUpdate',
}

/**
 * Says whether the gate of a field lets this user through, for the record if it depends on that.
 */
export function gateStep(
  { entity, request }: Access,
  asking: Asking,
  operation: string,
  field: string,
): AskedStep {
  const { columns, relations, policy, rules, key } = entity
  const name = getOwn(gates, operation)
  if (name === undefined) throw new Unanswerable(`'${operation}' asks no gate of a field.`)
  if (!columns.has(field) && relations?.kinds.has(field) !== true) {
    const known = [...columns.keys(), ...(relations?.kinds.keys() ?? [])].join(', ')
    throw new Unanswerable(`${key} have no field of that name; there are ${known}.`)
  }
  const gate = getOwn(policy[name], field)
  const answer = gateAnswer(policy[name], field, request.user)
  const { deciding } = originsOf(gate, request.user as Row | null, answer)
  const step = {
    rule: `${name}.${field}`,
    file: gate === undefined ? null : policyFile(entity),
    of: 'any record',
    decidedBy: deciding,
  } as const
  if (name !== 'canSee' && !Object.hasOwn(rules, field)) {
    return { ...step, tree: decided('no: no body writes it', false) }
  }
  if (gate === undefined)
    return { ...step, tree: decided('yes: the policy has no gate for it', true) }
  if (typeof answer === 'boolean') return { ...step, tree: decided(answer ? 'yes' : 'no', answer) }
  if (name === 'canStore') return { ...step, tree: decided('no: it answers no boolean', false) }
  const tree = conditionTree(asking, placeIn(entity, 't0'), answer)
  return { ...step, of: 'the record', tree }
}

/** The gates of all fields that a body writes. */
export function bodyGates(
  access: Access,
  asking: Asking,
  { operation, body = {} }: Pick<Question, 'operation' | 'body'>,
): readonly AskedStep[] {
  const { policy, rules } = access.entity
  const name = getOwn(gates, operation)
  if (name === undefined) return []
  const gated = Object.keys(policy[name] ?? {})
  return gated
    .filter((field) => Object.hasOwn(body, field) && Object.hasOwn(rules, field))
    .map((field) => gateStep(access, asking, operation, field))
}

/** @param row What the statement answered; null: it was not asked, or there is no such record. */
export function readStep({ tree, ...step }: AskedStep, row: RawRow | null): Step {
  const read = tree(row ?? [])
  const isDecided = read.kind === 'constant' && read.decides
  const whole = isDecided ? read : withoutHidden(marked(read))
  return Object.assign({}, step, {
    answer: read.verdict === 'yes' ? ('yes' as const) : ('no' as const),
    tree: whole,
  })
}

/** Removes hidden parts: they must not even show yes or no. */
function withoutHidden(tree: Tree): Tree {
  const { kind, words, decides, parts, related } = tree
  if (kind === 'hidden') return { kind, words, verdict: null, decides }
  const within = related?.first?.tree ?? null
  return Object.assign(
    {},
    tree,
    parts === undefined ? {} : { parts: parts.map(withoutHidden) },
    within === null || related?.first == null
      ? {}
      : { related: { ...related, first: { id: related.first.id, tree: withoutHidden(within) } } },
  )
}

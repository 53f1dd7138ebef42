/** Places of rules: svc has read the policies. */

import type { Step, Why } from './why-types.js'

/** The places of one policy's rules. */
interface RulePlaces {
  readonly file: string
  readonly rules: Readonly<Record<string, { readonly line: number; readonly code: string }>>
}

/** By the key of a repository. */
export type Places = Readonly<Record<string, RulePlaces>>

/** Adds the place of each rule to an answer. */
export function located(why: Why, places: Places): Why {
  const policy = places[why.repository]
  if (policy === undefined) return why
  return Object.assign({}, why, { steps: why.steps.map((step) => locatedStep(step, policy)) })
}

function locatedStep(step: Step, { file, rules }: RulePlaces): Step {
  // `attachTags with 3` asks one of them.
  const rule = rules[step.rule.split(' ')[0] ?? '']
  if (step.file === null || rule === undefined) return step
  const { line, code } = rule
  // The line says which of several answers it was.
  const isWhole = step.line === undefined && step.decidedBy.length === 0
  const isBare = isWhole && step.tree.kind === 'constant'
  return Object.assign({ line }, step, { file }, isBare ? { code } : {})
}

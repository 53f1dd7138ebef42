import type { Entity, Question } from '../model/entity.js'
import { answerTest } from './condition-sql.js'
import { nullComparisons } from './null-comparisons.js'
import { PolicyMistake } from './policy-mistake.js'

const questions: readonly Question[] = ['show', 'store', 'update', 'updateTo', 'delete']

/** Lists the questions that the policy of a repository answers about records. */
export const questionsOf = ({ extensions }: Entity): readonly Question[] => [
  ...questions,
  ...extensions.flatMap(({ operations = [] }) => operations.map(({ name }) => name)),
]

/**
 * Development: logs conditions that cannot be compiled, which the types do not see (a name that is
 * no column, beside one that is), before a request fails of them; and those that compare with null,
 * which no row passes. Policies are asked about no user,
 * and about one of whom nothing is known: what else goes wrong then is no mistake.
 */
export async function logPolicyMistakes(entity: Entity): Promise<void> {
  const { settings } = entity
  const mistakes = new Set<string>()
  const nulls = new Set<string>()
  for (const [rule, ask] of rulesOf(entity)) {
    for (const user of [null, {}]) {
      try {
        const answer = await ask(user)
        for (const said of nullComparisons(answer)) {
          nulls.add(`app/Policies/${entity.name}Policy.ts: ${rule} ${said}`)
        }
        answerTest(entity, answer)
      } catch (error) {
        if (error instanceof PolicyMistake) mistakes.add(error.message)
      }
    }
  }
  for (const said of nulls) settings.explain?.(said)
  for (const mistake of mistakes) {
    settings.explain?.(`${mistake}. Requests that need it will fail`)
  }
}

type Ask = (user: unknown) => unknown

/** Lists the rules that may answer a condition: methods about records, and gates of fields. */
function rulesOf(entity: Entity): readonly (readonly [name: string, ask: Ask])[] {
  const { policy } = entity
  const methods = questionsOf(entity).flatMap((name) => {
    const ask = policy[name]
    return ask === undefined ? [] : [[name, ask] as const]
  })
  const gates = (['canSee', 'canUpdate'] as const).flatMap((gate) =>
    Object.entries(policy[gate] ?? {}).flatMap(([field, ask]) =>
      ask === undefined ? [] : [[`${gate}.${field}`, ask] as const],
    ),
  )
  return [...methods, ...gates]
}

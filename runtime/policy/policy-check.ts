import type { Entity, Question } from '../model/entity.js'
import { answerTest } from './condition-sql.js'
import { nullComparisons } from './null-comparisons.js'
import { PolicyMistake } from './policy-mistake.js'

const questions: readonly Question[] = ['show', 'store', 'update', 'updateTo', 'delete']

/** What the policy of a repository answers of records. */
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
  const { policy, settings } = entity
  const mistakes = new Set<string>()
  const nulls = new Set<string>()
  for (const question of questionsOf(entity)) {
    for (const user of [null, {}]) {
      try {
        const answer = await policy[question]?.(user)
        for (const said of nullComparisons(answer)) {
          nulls.add(`app/Policies/${entity.name}Policy.ts: ${question} ${said}`)
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

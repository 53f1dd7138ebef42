import type { Entity, Question } from '../model/entity.js'
import { answerTest } from './condition-sql.js'
import { PolicyMistake } from './policy-mistake.js'

const questions: readonly Question[] = ['show', 'update', 'delete']

/**
 * Development: logs conditions that cannot be compiled, which the types do not see (a name that is
 * no column, beside one that is), before a request fails of them. Policies are asked about no user,
 * and about one of whom nothing is known: what else goes wrong then is no mistake.
 */
export async function logPolicyMistakes(entity: Entity): Promise<void> {
  const { policy, settings } = entity
  const mistakes = new Set<string>()
  for (const question of questions) {
    for (const user of [null, {}]) {
      try {
        answerTest(entity, await policy[question]?.(user))
      } catch (error) {
        if (error instanceof PolicyMistake) mistakes.add(error.message)
      }
    }
  }
  for (const mistake of mistakes) {
    settings.explain?.(`${mistake}. Requests that need it will fail`)
  }
}

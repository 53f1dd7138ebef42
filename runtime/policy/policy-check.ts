import type { Question } from './access.js'
import type { Definition } from '../model/definition.js'
import { describe } from './parse-condition.js'
import { entityOf } from '../model/entity.js'
import { PolicyMistake } from './policy-mistake.js'

const questions: readonly Question[] = ['show', 'update', 'delete']

/**
 * Development: tells of conditions that cannot be compiled, which the types do not see (a name that
 * is no column, beside one that is), before a request fails of them. Policies are asked about
 * nobody, and about a user of whom nothing is known: what else goes wrong then is no mistake.
 */
export async function tellPolicyMistakes(definition: Definition): Promise<void> {
  const { policy, settings } = definition
  const told = new Set<string>()
  for (const question of questions) {
    for (const user of [null, {}]) {
      const mistake = await mistakeOf(definition, async () => policy[question]?.(user))
      if (mistake !== null) told.add(mistake)
    }
  }
  for (const mistake of told) settings.explain?.(`${mistake}. Requests that need it will fail`)
}

async function mistakeOf(
  definition: Definition,
  answer: () => Promise<unknown>,
): Promise<string | null> {
  try {
    describe(entityOf(definition), await answer())
    return null
  } catch (error) {
    return error instanceof PolicyMistake ? error.message : null
  }
}

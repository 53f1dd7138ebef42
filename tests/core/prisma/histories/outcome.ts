import type { DraftResult } from '../../../../generator/commands/database/drafts/draft.js'

/** How an attempt to bring a database on went. */
export interface Outcome {
  readonly kind: 'done' | 'loses' | 'stops' | 'fails'
  readonly losses: DraftResult['losses']
  readonly misfits: DraftResult['misfits']
  readonly why: string
}

/** The questions of a command are no error here. */
export async function outcomeOf(
  work: () => Promise<Omit<DraftResult, 'kind'> & { kind: string }>,
): Promise<Outcome> {
  try {
    const { kind, losses, misfits } = await work()
    // `moved` never comes back from a step.
    return { kind: kind as Outcome['kind'], losses, misfits, why: '' }
  } catch (error) {
    const isSaid = error instanceof Error && ['DraftFailure', 'SetupError'].includes(error.name)
    if (!isSaid) throw error
    return { kind: 'fails', losses: [], misfits: [], why: error.message }
  }
}

import type { Costs, Outcome } from './costs.js'
import type { MigrationSession, Project } from './project.js'

/** Changes nothing when `work` loses data and that is not accepted, or when rows stop it. */
export async function unlessLosing<Kind extends string>(
  { database }: Project,
  acceptDataLoss: boolean,
  work: (session: MigrationSession) => Promise<Outcome<Kind>>,
): Promise<Outcome<Kind | 'loses'>> {
  const tried = database.migrating(async (session) => {
    const outcome = await work(session)
    const isLosing = outcome.losses.length > 0 && outcome.kind !== 'stops'
    if (isLosing && !acceptDataLoss) throw new Undone(outcome)
    return outcome
  })
  return tried.catch((error: unknown) => ({ ...undoneIn(error), kind: 'loses' }))
}

/** Thrown to undo a transaction. */
export class Undone extends Error {
  constructor(readonly costs: Costs) {
    super('undone')
  }
}

export function undoneIn(error: unknown): Costs {
  if (error instanceof Undone) return error.costs
  throw error
}

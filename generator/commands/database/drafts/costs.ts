import { isAbsent, isOfGoneSide } from '../../../migrations/rows/left-rows.js'
import { lossesAround, type Loss } from './losses.js'
import { misfitsOf, type Misfit } from './misfits.js'
import type { MigrationSession, Project } from './project.js'

/** The cost of a migration to this database. */
export interface Costs {
  readonly losses: readonly Loss[]
  /** Rows that stop it; of one that was applied, those that were cut, emptied or deleted. */
  readonly misfits: readonly Misfit[]
}

export interface Outcome<Kind> extends Costs {
  readonly kind: Kind
}

export const done: Outcome<'done'> = { kind: 'done', losses: [], misfits: [] }

export interface Step {
  readonly sql: string
  readonly run: () => Promise<void>
  readonly acceptDataLoss: boolean
  /** Everything that is there is counted before and after, as is bearable in development. */
  readonly isCounted: boolean
}

/** Runs a step unless rows stop it; counts what is dropped with it, also where it is not run. */
export async function runCounted(
  { runtime, derivedTables }: Pick<Project, 'runtime' | 'derivedTables'>,
  session: MigrationSession,
  { sql, run, acceptDataLoss, isCounted }: Step,
): Promise<Outcome<'done' | 'stops'>> {
  const misfits = await misfitsOf(session, sql)
  const counting = { session, derivedTables }
  const losses = () => (isCounted ? lossesAround(counting, sql, run) : run().then(() => []))
  if (misfits.length === 0) return { kind: 'done', misfits, losses: await losses() }
  if (!acceptDataLoss) {
    const isTried = isCounted ? () => runtime.acceptingLoss(session, losses) : async () => []
    const others = await undone(session, isTried)
    return { kind: 'stops', misfits, losses: withoutMisfits(others, misfits) }
  }
  return runtime.acceptingLoss(session, async () => {
    const lasting = await misfitsOf(session, sql)
    if (lasting.length > 0) return { kind: 'stops', misfits: lasting, losses: [] }
    return { kind: 'done', misfits, losses: withoutMisfits(await losses(), misfits) }
  })
}

/** Returns the findings; nothing, where something else is in the way as well. */
async function undone(
  session: MigrationSession,
  work: () => Promise<readonly Loss[]>,
): Promise<readonly Loss[]> {
  await session.query('SAVEPOINT svc_undone')
  try {
    return await work()
  } catch {
    return []
  } finally {
    await session.query('ROLLBACK TO SAVEPOINT svc_undone')
  }
}

/** Leaves out losses that a misfit has reported already: values that are emptied or deleted. */
function withoutMisfits(losses: readonly Loss[], misfits: readonly Misfit[]): readonly Loss[] {
  const isEmptied = ({ table, column }: Misfit) =>
    losses.some((loss) => loss.table === table && loss.column === column)
  const isDeleting = (misfit: Misfit) =>
    isAbsent(misfit) || (isOfGoneSide(misfit) && !isEmptied(misfit))
  return losses
    .map((loss) => {
      const said = misfits.filter((misfit) =>
        loss.column === null
          ? misfit.table === loss.table && isDeleting(misfit)
          : isOfColumn(misfit, loss),
      )
      return { ...loss, rows: said.reduce((rows, misfit) => rows - misfit.rows, loss.rows) }
    })
    .filter(({ rows }) => rows > 0)
}

/** The type of a morph takes its id along. */
function isOfColumn(misfit: Misfit, { table, column }: Loss): boolean {
  const { column: own } = misfit
  const isIdOf = isOfGoneSide(misfit) && column === own.replace(/_type$/, '_id')
  return misfit.table === table && (column === own || isIdOf)
}

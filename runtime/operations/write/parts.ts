import type { Connection } from '../../database/types.js'
import type { HttpError } from '../../errors.js'
import { isTurnLongFor, nextTurn } from '../../event-loop.js'
import type { Entity, Held, Row, Within } from '../../model/entity.js'
import { afterwards, contextOf } from '../afterwards.js'
import { holdRecords } from '../held-row.js'
import { placed, placing, together } from './places.js'
import type { AfterHook, ReadyRecord, WritePlan } from './plan.js'

/** Parts of the transaction of a write, and what follows it. */

/** A record, and its parts. */
type RecordOfParts = Pick<ReadyRecord, 'at' | 'parts'>

/**
 * Holds what the records rely on, of all of them together: in the order of the request it would meet
 * those that lock the same records in another order.
 * @param above Other records to hold with them.
 */
export async function holdOthers(
  { placeOf }: Pick<WritePlan, 'placeOf'>,
  records: readonly RecordOfParts[],
  connection: Connection,
  above: readonly Held[] = [],
): Promise<void> {
  const holds = records.flatMap(({ parts, at }) =>
    parts.flatMap((part) =>
      (part.holds ?? []).map((each) => {
        const missing = () => placed(each.missing(), at, placeOf) as HttpError
        return { entity: each.entity, id: each.id, missing }
      }),
    ),
  )
  if (holds.length + above.length === 0) return
  const missing = await holdRecords([...above, ...holds], connection)
  const gone = holds.filter((each) => missing.includes(each)).map((each) => each.missing())
  const [first, ...others] = gone
  if (first !== undefined) throw others.length === 0 ? first : together(gone)
}

/** Begins what belongs in the transaction with each of the records. */
export async function beginAll(
  records: readonly RecordOfParts[],
  connection: Connection,
): Promise<void> {
  for (const { parts } of records) {
    for (const part of parts) {
      if (isTurnLongFor(records)) await nextTurn()
      await part.begin?.(connection)
    }
  }
}

/** Writes what belongs to a record: `row` is the record as it is, or was before it was deleted. */
export async function writeParts(
  { placeOf, records }: Pick<WritePlan, 'placeOf' | 'records'>,
  { at, parts }: RecordOfParts,
  connection: Connection,
  row: () => Row,
  before: Row | null = null,
): Promise<void> {
  if (parts.length === 0) return
  if (isTurnLongFor(records)) await nextTurn()
  const written = row()
  for (const part of parts) {
    await placing(at, placeOf, () => part.write(connection, written, before))
  }
}

type Hook = (context: object, row: Row) => unknown

/**
 * A hook about one record that is there: features have others than the kernel. Hooks may be an
 * instance of a class, so they may be inherited, and `this` is the object that has them.
 */
export const hookOf = ({ hooks }: Entity, name: string): Hook | undefined =>
  (hooks as Readonly<Record<string, Hook>> | undefined)?.[name]?.bind(hooks)

export interface WrittenRow {
  readonly parts: readonly Within[]
  readonly row: Row
}

/** Calls the hook of each record after the commit, and its parts. */
export async function afterEach(
  { access }: WritePlan,
  hook: AfterHook,
  written: readonly WrittenRow[],
): Promise<void> {
  const { entity } = access
  const call = hookOf(entity, hook)
  const context = call === undefined ? null : contextOf(access)
  for (const { parts, row } of written) {
    if (isTurnLongFor(written)) await nextTurn()
    if (context !== null) await afterwards(entity, hook, () => call?.(context, row))
    for (const part of parts) await part.after?.()
  }
}

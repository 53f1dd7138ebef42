import { HttpError } from '../../errors.js'
import type { Access } from '../../model/entity.js'
import type { IndexQuery } from '../../model/queries.js'
import type { Resource } from '../../model/resource.js'
import { openPage, readerOf, resourcesOf } from '../../operations/read.js'
import { sorted } from '../../query/filter.js'
import { type Held, type Key, keysOf } from '../cursors/keyset.js'
import { rowsBehind } from '../cursors/read-page.js'
import type { BatchCallers } from './batch-callers.js'
import { BatchSize } from './batch-size.js'

/**
 * All records of a list, a batch after the other, each behind the one before: between two of them
 * nothing is held but memory for the one that the client takes, no connection and no lock. What is
 * written meanwhile moves no other record.
 */
export async function* batchesOf(
  access: Access,
  asked: IndexQuery,
  callers: BatchCallers,
): AsyncGenerator<readonly Resource[], void> {
  // The rank of a record would be computed from all that is found, for each batch again.
  const { sort = [] } = asked
  const keys = keysOf(access.entity, await sorted(access, { sort }))
  let from: readonly Held[] | null = null
  const next = new BatchSize()
  for (;;) {
    const query = Object.assign({}, asked, { caller: callers.next() })
    const { size } = next
    const batch: Batch | null = await readBatch(access, query, { keys, from, size }).catch(
      (error: unknown) => {
        // More than an answer may hold: fewer of them may.
        const isLarge = error instanceof HttpError && error.status === 400
        if (!isLarge || !next.shrink()) throw error
        return null
      },
    )
    if (batch !== null) {
      next.grow()
      callers.wait()
      yield batch.resources
      if (batch.last === null) return
      from = batch.last
    }
  }
}

interface Batch {
  readonly resources: readonly Resource[]
  /** The beginning of the next batch; null: this was the last one. */
  readonly last: readonly Held[] | null
}

interface Place {
  readonly keys: readonly Key[]
  readonly from: readonly Held[] | null
  readonly size: number
}

async function readBatch(
  access: Access,
  query: IndexQuery,
  { keys, from, size }: Place,
): Promise<Batch> {
  const reading = await openPage(access, query, { perPage: size, offset: 0 })
  if (reading === null) return { resources: [], last: null }
  const reader = readerOf(reading)
  const rows = await rowsBehind(reading, reader.select('t0'), { way: 'next', from }, keys, size)
  const resources = await resourcesOf(reading, reader, rows)
  const last = rows.length < size ? undefined : rows.at(-1)
  // The driver's value of what `heldOf` selects.
  return { resources, last: (last?.slice(reader.width) as readonly Held[] | undefined) ?? null }
}

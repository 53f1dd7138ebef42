import type { Access, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { contextOf } from '../../operations/afterwards.js'

/** Answers a computed entry for a page of records: one call with `batch`, else one for each. */
export async function runComputed(
  access: Access,
  key: string,
  batch: boolean,
  rows: readonly Row[],
): Promise<readonly unknown[]> {
  const { entity } = access
  const hook = getOwn(entity.hooks?.computed, key)
  if (hook === undefined)
    throw new TypeError(`the hooks of '${entity.key}' do not compute '${key}'`)
  const context = contextOf(access)
  const run = typeof hook === 'function' ? hook : hook.__invoke.bind(hook)
  if (!batch) return Promise.all(rows.map((row) => run(context, row)))
  const values = await run(context, rows)
  if (Array.isArray(values) && values.length === rows.length) return values
  throw new TypeError(`'${key}' of '${entity.key}' must answer one value per record, in order`)
}

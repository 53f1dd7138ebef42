import { type Access, accessTo } from '../../policy/access.js'
import type { Settings } from '../../model/definition.js'
import { isLink, targetOf } from '../../model/entity.js'
import { narrowed, sorted } from '../../query/filter.js'
import type { ShowQuery } from '../../query/parse-query.js'
import { resolveTree, type Wanted } from './resolve-include.js'

/** Whether a query can be answered, whatever the records: throws what reading it would. */
export async function checkQuery(access: Access, query: ShowQuery): Promise<void> {
  const { settings } = access.entity.definition
  await checkLevel(access, resolveTree(access, query, settings), settings)
}

async function checkLevel(
  { request }: Access,
  all: readonly Wanted[],
  settings: Settings,
): Promise<void> {
  for (const { entry, part, children } of all) {
    if (!isLink(entry)) continue
    const target = accessTo(request, targetOf(entry))
    if (part !== null) {
      await narrowed(target, part)
      await sorted(target, part.sort ?? [], settings)
    }
    await checkLevel(target, children, settings)
  }
}

import type { Access } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { badParameter, type IncludeTree, type IndexQuery } from '../../query/query.js'
import { boundedTree } from '../relations/bounded-tree.js'
import { accessBehind, isLink } from '../relations/entries.js'
import { entryFor } from '../relations/resolve-include.js'

/** A column of the table that is exported. */
export interface ExportColumn {
  /** `title`; `owner.name` of a record that is included. */
  readonly title: string
  valueOf(resource: Resource): unknown
}

/**
 * The id, the attributes that were asked for, and those of records that are included: of relations
 * that lead to one record, for a line has room for one.
 */
export function columnsOf(access: Access, query: IndexQuery): readonly ExportColumn[] {
  return columnsBelow(access, query.columns ?? null, boundedTree(access, query.include), [])
}

function columnsBelow(
  access: Access,
  asked: readonly string[] | null,
  tree: IncludeTree,
  path: readonly string[],
): readonly ExportColumn[] {
  const names = access.shown.filter((name) => asked === null || asked.includes(name))
  const own = names
    .filter((name) => name !== 'id')
    .map((name) => column(path, name, ({ attributes }) => attributes[name]))
  const related = tree.flatMap(({ key, columns, children }) => {
    const entry = entryFor(access, key)
    // The reader of an unknown column reports or ignores it.
    if (entry === null) return []
    if (!isLink(entry) || !entry.toOne) throw notOne([...path, key].join('.'))
    return columnsBelow(accessBehind(access, entry), columns, children, [...path, key])
  })
  return [column(path, 'id', ({ id }) => id), ...own, ...related]
}

const notOne = (key: string) =>
  badParameter(
    'include',
    `names '${key}', which has no room in a line: an export takes relations to one record`,
  )

function column(
  path: readonly string[],
  name: string,
  read: (resource: Resource) => unknown,
): ExportColumn {
  return {
    title: [...path, name].join('.'),
    valueOf: (resource) => {
      const found = path.reduce<Resource | null>(relatedTo, resource)
      return found === null ? null : read(found)
    },
  }
}

// To one record: seen above.
const relatedTo = (from: Resource | null, key: string): Resource | null =>
  (from?.relationships?.[key] ?? null) as Resource | null

import type { EntityDraft } from './entity-draft.js'
import type { FirstPolicy } from './types.js'

/**
 * What the policy of a repository opens when it is written, and through which columns its rows belong to somebody.
 *
 * | Rows of                                      | belong to                                            |
 * |----------------------------------------------|------------------------------------------------------|
 * | those who sign in                            | themselves                                           |
 * | one `belongsTo` that is filled by the user   | that user                                            |
 * | one `belongsTo` to a user                    | that user                                            |
 * | one `belongsTo` to something that has owners | its owner                                            |
 * | several of these, or none                    | nobody: which one decides, only their developer knows |
 */
export function firstPolicyOf(
  draft: EntityDraft,
  drafts: readonly EntityDraft[],
  auth: EntityDraft | null,
  opens: FirstPolicy['opens'],
): FirstPolicy {
  if (auth === null) return { opens, owner: null }
  const named = new Map(drafts.map((each) => [each.key, each]))
  return { opens, owner: ownerOf(draft, { named, auth, passed: new Set() }) }
}

interface Search {
  readonly named: ReadonlyMap<string, EntityDraft>
  readonly auth: EntityDraft
  /** Already on the way here. */
  readonly passed: ReadonlySet<EntityDraft>
}

function ownerOf(draft: EntityDraft, search: Search): readonly string[] | null {
  const { named, auth } = search
  if (draft === auth) return ['id']
  const links = draft.relations.filter(
    ({ kind, feature }) => kind === 'belongsTo' && feature === undefined,
  )
  const users = links.filter(({ target }) => target === auth.key)
  const filled = users.filter(({ filledBy }) => filledBy === 'user')
  const [first] = filled.length > 0 ? filled : users
  if (first !== undefined) {
    return columnsIn(filled.length > 0 ? filled : users) > 1 ? null : [first.foreignKey]
  }
  const passed = new Set([...search.passed, draft])
  const ways = links.flatMap(({ key, target }) => {
    const parent = named.get(target)
    if (parent === undefined || passed.has(parent)) return []
    const way = ownerOf(parent, { ...search, passed })
    return way === null ? [] : [[key, ...way]]
  })
  const [way] = ways
  return ways.length === 1 && way !== undefined ? way : null
}

/** Two entries may read the same column under different keys. */
const columnsIn = (links: readonly { readonly foreignKey: string }[]) =>
  new Set(links.map(({ foreignKey }) => foreignKey)).size

import { isLeaf, type Tree, type Verdict } from './tree.js'

/** The result that another answer needs of a part: true, not true, false, or not false. */
type Goal = 'yes' | 'notYes' | 'no' | 'notNo'

const meets = (verdict: Verdict | null, goal: Goal): boolean =>
  goal === 'yes' || goal === 'no'
    ? verdict === goal
    : verdict !== (goal === 'notYes' ? 'yes' : 'no')

const swapped = { yes: 'no', no: 'yes', notYes: 'notNo', notNo: 'notYes' } as const

/** Leaves to change together. */
type Changes = readonly Tree[]

/**
 * Marks the leaves that decided: those that are part of some change of leaves, as small as it can be
 * with them, after which the answer is another one. Where others belong to it, they are named.
 */
export function marked(tree: Tree): Tree {
  const goal = tree.verdict === 'yes' ? 'notYes' : 'yes'
  const changes = changesWith(tree, goal)
  return markedIn(tree, changes)
}

function markedIn(tree: Tree, changes: ReadonlyMap<Tree, Changes>): Tree {
  const own = changes.get(tree)
  const others = own?.filter((each) => each !== tree).map(({ words }) => words) ?? []
  return Object.assign(
    {},
    tree,
    { decides: own !== undefined },
    others.length === 0 ? {} : { with: others },
    own === undefined ? insideUnmarked(tree) : {},
    tree.parts === undefined ? {} : { parts: tree.parts.map((part) => markedIn(part, changes)) },
  )
}

/** Parts about related records decide nothing where the whole does not. */
function insideUnmarked({ related }: Tree): Partial<Tree> {
  const first = related?.first
  if (related === undefined || first?.tree == null) return {}
  return { related: { ...related, first: { id: first.id, tree: unmarked(first.tree) } } }
}

function unmarked(tree: Tree): Tree {
  const { with: _, ...rest } = tree
  const parts = tree.parts === undefined ? {} : { parts: tree.parts.map(unmarked) }
  return { ...rest, decides: false, ...parts, ...insideUnmarked(tree) }
}

/** For each leaf that belongs to a change that reaches the goal: the smallest of those with it. */
function changesWith(tree: Tree, goal: Goal): ReadonlyMap<Tree, Changes> {
  if (meets(tree.verdict, goal)) return new Map()
  const { parts } = tree
  if (parts === undefined) return tree.kind === 'constant' ? new Map() : new Map([[tree, [tree]]])
  if (tree.kind === 'not') return changesWith(parts[0] ?? tree, swapped[goal])
  const found = new Map<Tree, Changes>()
  for (const part of parts) {
    // All must reach it, or one is enough.
    const others = needsEach(tree, goal) ? togetherWith(parts, part, goal) : []
    if (others === null) continue
    for (const [leaf, own] of changesWith(part, goal)) found.set(leaf, [...own, ...others])
  }
  return found
}

const needsEach = ({ kind }: Tree, goal: Goal): boolean =>
  (kind === 'all') === (goal === 'yes' || goal === 'notNo')

/** The smallest change of the other parts; null: there is none. */
function togetherWith(parts: readonly Tree[], but: Tree, goal: Goal): Changes | null {
  const changes: Tree[] = []
  for (const part of parts) {
    if (part === but) continue
    const found = smallestChange(part, goal)
    if (found === null) return null
    changes.push(...found)
  }
  return changes
}

export function smallestChange(tree: Tree, goal: Goal): Changes | null {
  if (meets(tree.verdict, goal)) return []
  if (isLeaf(tree)) return tree.kind === 'constant' ? null : [tree]
  const parts = tree.parts ?? []
  if (tree.kind === 'not') return smallestChange(parts[0] ?? tree, swapped[goal])
  const each = parts.map((part) => smallestChange(part, goal))
  if (needsEach(tree, goal))
    return each.some((found) => found === null) ? null : each.flatMap((found) => found ?? [])
  const possible = each.flatMap((found) => (found === null ? [] : [found]))
  return possible.toSorted((one, other) => one.length - other.length)[0] ?? null
}

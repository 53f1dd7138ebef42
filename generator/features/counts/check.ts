import type { EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { madeBy, names } from '../../blueprint/fields/shapes.js'
import { nearest, type Finding, type Path } from '../../blueprint/problems.js'

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Counts = {
  /** Relations. */
  readonly names: readonly string[]
  /** Counts that lists may be ordered by. */
  readonly sort: readonly string[]
}

/** Checks the counts of related records. */
export const countsCheck: FeatureCheck = {
  repositoryOptions: { count: names },
  sortKeys: sortKeysOf,
  facts: (_, context) => {
    const { drafts, report } = context
    for (const each of drafts.flatMap(wrongIn)) report(each)
    const all = drafts.flatMap((draft) => {
      const said = saidOf(draft)
      return said.names.length === 0 ? [] : [[draft.key, said] as const]
    })
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}

const toMany = new Set(['hasMany', 'morphMany', 'belongsToMany', 'morphToMany'])

const relationOf = (key: string) => key.replace(/\.count$/, '')

/** `reviews.count`, where `reviews` are many: a belongsTo has columns, of which one may be called `count`. */
function sortKeysOf({ definition }: EntityDraft): readonly string[] {
  const { related = {}, fields, sort = [] } = definition
  const kinds = new Map(
    [...Object.entries<unknown>(related), ...Object.entries<unknown>(fields)].map(
      ([key, entry]) => [key, madeBy(entry) ?? ''] as const,
    ),
  )
  return sort.filter(
    (key) => key.endsWith('.count') && toMany.has(kinds.get(relationOf(key)) ?? ''),
  )
}

function saidOf(draft: EntityDraft): Counts {
  return { names: draft.definition.count ?? [], sort: sortKeysOf(draft).map(relationOf) }
}

function wrongIn(draft: EntityDraft): readonly Finding[] {
  const { path, definition, relations } = draft
  const said = saidOf(draft)
  const known = relations.filter(({ kind }) => toMany.has(kind)).map(({ key }) => key)
  const fitting = (names: readonly string[]) =>
    [...new Set(names)].filter((each) => known.includes(each))
  const counted = said.names.flatMap((name, index) => {
    const finding = wrongName(draft, name, index, known)
    return finding === null ? [] : [finding]
  })
  const uncounted = said.sort
    .filter((name) => !said.names.includes(name))
    .map((name): Finding => ({
      rule: 'sort-by-count',
      at: [path, 'sort', (definition.sort ?? []).indexOf(`${name}.count`)],
      message: `'${path}' sorts by '${name}.count', and does not count '${name}'`,
      fix: `count: [${fitting([...said.names, name])
        .map((each) => `'${each}'`)
        .join(', ')}]`,
    }))
  return [...counted, ...uncounted]
}

function wrongName(
  { path, definition, relations }: EntityDraft,
  name: string,
  index: number,
  known: readonly string[],
): Finding | null {
  const at: Path = [path, 'count', index]
  if (definition.count?.indexOf(name) !== index) {
    const message = `'${name}' appears twice in count of '${path}'`
    return { rule: 'listed-twice', at, message, fix: 'leave one out' }
  }
  if (known.includes(name)) return null
  const isOne = relations.some(({ key }) => key === name)
  return {
    rule: 'not-counted',
    at,
    message: isOne
      ? `'${name}' in count of '${path}' is one record at most`
      : `'${name}' in count is not a relation of '${path}'`,
    known: known.toSorted(),
    fix: isOne ? `leave '${name}' out` : `'${nearest(name, known) ?? known[0] ?? ''}'`,
  }
}

/** Reads a repository's counts from the blueprint; null: none. */
export const countsFact = factOf<Counts>('counts')

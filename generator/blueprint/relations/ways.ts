import { columnsOf, type EntityDraft } from '../entity-draft.js'
import type { Column, MorphTo, Pivot, Relation } from '../types.js'

/** A repository, as far as a way goes through it. */
interface Around {
  readonly key: string
  readonly relations: readonly Relation[]
  readonly morphs: readonly MorphTo[]
  readonly columns: readonly Column[]
}

export interface World {
  readonly around: (key: string) => Around | undefined
  readonly pivot: (table: string) => Pivot | undefined
}

/** Relations from here, and what is asked of the record behind the last of them. */
export interface Way {
  /** The beginning, and the target of each relation. */
  readonly places: readonly Around[]
  readonly relations: readonly Relation[]
  /** A record of one of several repositories, last of all. */
  readonly morph: MorphTo | null
  /** The rest of the name: nothing, a column, `pivot` and a column of it, or something unknown. */
  readonly rest: readonly string[]
}

/** `seller.company.name`: relations, as far as there are any of that name. */
export function wayOf(world: World, start: EntityDraft, name: string): Way {
  const places: Around[] = [aroundOf(start)]
  const relations: Relation[] = []
  const segments = name.split('.')
  for (const [at, segment] of segments.entries()) {
    const here = places.at(-1)
    const rest = segments.slice(at)
    const morph = here?.morphs.find(({ key }) => key === segment)
    if (morph !== undefined) return { places, relations, morph, rest: rest.slice(1) }
    const relation = here?.relations.find(({ key }) => key === segment)
    const target = relation === undefined ? undefined : world.around(relation.target)
    if (relation === undefined || target === undefined) {
      return { places, relations, morph: null, rest }
    }
    relations.push(relation)
    places.push(target)
  }
  return { places, relations, morph: null, rest: [] }
}

/** A column that a way asks of; of the pivot row between the last two records, `isPivot`. */
export function columnOn(
  world: World,
  { places, relations, morph, rest: [name, ofPivot] }: Way,
): { readonly column: Column; readonly isPivot: boolean } | null {
  if (morph !== null || relations.length === 0) return null
  const own = places.at(-1)?.columns.find((each) => each.name === name)
  if (ofPivot === undefined) return own === undefined ? null : { column: own, isPivot: false }
  const between = name === 'pivot' && own === undefined ? relations.at(-1)?.pivot : null
  const fields = between === null || between === undefined ? [] : world.pivot(between.table)?.fields
  const column = fields?.find((each) => each.name === ofPivot)
  return column === undefined ? null : { column, isPivot: true }
}

/** Drafts whose relations are known. */
export const worldOf = (drafts: readonly EntityDraft[], pivots: readonly Pivot[]): World => ({
  around: (key) => {
    const target = drafts.find((each) => each.key === key)
    return target && aroundOf(target)
  },
  pivot: (table) => pivots.find((each) => each.table === table),
})

const aroundOf = (draft: EntityDraft): Around => ({
  key: draft.key,
  relations: draft.relations,
  morphs: draft.morphTo,
  columns: columnsOf(draft),
})

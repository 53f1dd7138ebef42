import type { Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { MatchType } from '../../model/matching.js'
import { maySeeSome } from '../../policy/gates.js'
import {
  accessBehind,
  isLink,
  isMorph,
  type Link,
  maySeeEntry,
  type MorphEntry,
  relatedOf,
} from '../relations/entries.js'

/** The match type of a related column; `exists`: there are any. */
export type FilterType = MatchType | 'exists'

export type FilterTypes = Readonly<Record<string, FilterType>>

/** A relation on the way, and the related repository as this user may use it. */
export interface Step {
  readonly link: Link
  readonly access: Access
}

/**
 * A filter's name, read: its relations, and the condition on the record behind the last of them.
 */
export interface RelationFilter {
  readonly name: string
  readonly type: FilterType
  readonly steps: readonly Step[]
  readonly asks: Asks
}

export type Asks =
  | { readonly kind: 'exists' }
  | { readonly kind: 'pivot'; readonly column: Column }
  /** `access` is that of the repository which has the column. */
  | { readonly kind: 'column'; readonly column: Column; readonly access: Access }
  /** A record of one of several repositories: whether there is one, or which. */
  | {
      readonly kind: 'morph'
      readonly entry: MorphEntry
      readonly member: 'exists' | 'type' | 'id'
      /** The repository that has the relation. */
      readonly access: Access
    }

/**
 * The filter that a repository declares under a name. Null: it declares none, or a gate closes a part
 * of the way to this user, who knows no difference.
 */
export function findFilter(
  access: Access,
  types: FilterTypes,
  name: string,
): RelationFilter | null {
  const type = getOwn(types, name)
  if (type === undefined) return null
  const steps: Step[] = []
  let here = access
  const segments = name.split('.')
  for (const [at, segment] of segments.entries()) {
    const rest = segments.slice(at + 1)
    const entry = relatedOf(here.entity)?.entries.get(segment)
    // A member has the name of the field that it shows.
    if (entry === undefined || entry.relation.kind === 'member') {
      const asks = columnAsked(here, steps.at(-1), [segment, ...rest])
      return asks && { name, type, steps, asks }
    }
    if (!maySeeEntry(here, entry)) return null
    if (isMorph(entry)) {
      const member = rest[0] === 'type' || rest[0] === 'id' ? rest[0] : 'exists'
      return { name, type, steps, asks: { kind: 'morph', entry, member, access: here } }
    }
    if (!isLink(entry)) return null
    here = accessBehind(here, entry)
    steps.push({ link: entry, access: here })
  }
  return { name, type, steps, asks: { kind: 'exists' } }
}

function columnAsked(
  access: Access,
  step: Step | undefined,
  [name = '', ofPivot]: readonly string[],
): Asks | null {
  if (step === undefined) return null
  if (ofPivot === undefined) {
    const isOpen = access.entity.columns.has(name) && maySeeSome(access, name)
    return isOpen ? { kind: 'column', column: columnNamed(access.entity, name), access } : null
  }
  const column = step.link.pivot.get(ofPivot)
  return name === 'pivot' && column !== undefined ? { kind: 'pivot', column } : null
}

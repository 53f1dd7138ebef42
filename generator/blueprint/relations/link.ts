import type { EntityDraft } from '../entity-draft.js'
import type { RelationKind } from '../types.js'

/** A relation whose two repositories are known. */
export interface Link {
  readonly from: EntityDraft
  readonly to: EntityDraft
  readonly key: string
  /** The model relationship: `relation`, or the key. */
  readonly name: string
  readonly kind: RelationKind
  readonly nullable: boolean
  /** belongsTo: no request body writes the column. */
  readonly isReadonly: boolean
  readonly options: LinkOptions
  /** The feature that adds or fills it; absent: it is the manifest's alone. */
  readonly feature?: string
  /** Absent: there are routes below a record that lead to what it is related to. */
  readonly routes?: false
}

/** Options of all kinds; each kind's shapes have been checked. */
export interface LinkOptions {
  readonly relation?: string
  readonly description?: string
  readonly foreignKey?: string
  readonly column?: string
  readonly filledBy?: 'user'
  readonly searchable?: readonly string[]
  readonly sortable?: readonly string[]
  readonly onDelete?: 'restrict' | 'cascade' | 'setNull'
  readonly renamedFrom?: string
  readonly inverse?: string
  readonly name?: string
  readonly table?: string
  readonly relatedKey?: string
  readonly pivot?: Readonly<Record<string, unknown>>
}

/** The relations of each repository, in their order. */
export function linksFrom(links: readonly Link[]): ReadonlyMap<EntityDraft, readonly Link[]> {
  const found = new Map<EntityDraft, Link[]>()
  for (const link of links) {
    const known = found.get(link.from)
    if (known === undefined) found.set(link.from, [link])
    else known.push(link)
  }
  return found
}

/** Types of the entries of `related()`: data, made by `relations.ts`. */

import type { z } from 'zod'
import type { Column, StorageKind } from '../../model/columns.js'
import type { Access, Entity, HasEntity, Relations, Row, Scope } from '../../model/entity.js'
import type { Loaded } from '../../model/included.js'
import type { Test } from '../../model/sql-test.js'
import { accessTo } from '../../policy/access.js'
import { maySee, maySeeSome } from '../../policy/gates.js'
import type { Sql } from '../../sql/sql.js'

/**
 * Repositories refer to each other in circles, so each is named by a function and asked for at the
 * first request.
 */
export type Target = () => HasEntity

/** The table that holds which records of a many-to-many relation belong together. */
export interface Pivot {
  readonly table: string
  /** Its column that points at this record. */
  readonly foreignKey: string
  /** Its column that points at the related record. */
  readonly relatedKey: string
  /** Pivot fields. */
  readonly columns: Readonly<Record<string, StorageKind>>
  /** Fields that attach and sync may write, and the rule that a value must pass. */
  readonly rules?: Readonly<Record<string, z.core.$ZodType>>
  /** Written into new rows where the request leaves a field out. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Fields that are not shown under `pivots`. */
  readonly hidden?: readonly string[]
  /** Morphs: its column that holds this repository's URI key. */
  readonly morphType?: string
  /**
   * `text` where records with integer and with uuid ids share the table; else how this repository's
   * id is stored.
   */
  readonly foreignKind?: 'text'
}

export interface BelongsTo {
  readonly kind: 'belongsTo'
  readonly target: Target
  /** Column of this table. */
  readonly foreignKey: string
  readonly filledBy: 'user' | null
  readonly searchable: readonly string[]
  readonly sortable: readonly string[]
  /** It is included, and not served below its record. */
  readonly routes?: false
  /** Joins the tables with these aliases, where the id alone does not. */
  readonly on?: (source: string, target: string) => Sql
}

export interface HasRelated {
  readonly kind: 'hasOne' | 'hasMany' | 'morphOne' | 'morphMany'
  readonly target: Target
  /** Column of the related table. */
  readonly foreignKey: string
  /** Morphs: the column of the related table that holds this repository's URI key. */
  readonly morphType: string | null
  /** One record: its columns that `sort=<key>.<column>` reaches. */
  readonly sortable: readonly string[]
}

export interface ThroughPivot {
  readonly kind: 'belongsToMany' | 'morphToMany'
  readonly target: Target
  readonly pivot: Pivot
}

export type Relation = BelongsTo | HasRelated | ThroughPivot

export interface Computed {
  readonly kind: 'computed'
  readonly batch: boolean
}

export interface Member {
  readonly kind: 'member'
  /** Key of the relation it forwards to, or null: the attribute of the same name. */
  readonly relation: string | null
}

/** A record of one of several repositories: `morphTo()` in the manifest. */
export interface MorphTo {
  readonly kind: 'morphTo'
  readonly entryOf: (source: Entity, key: string) => MorphEntry
}

export interface MorphEntry {
  readonly key: string
  readonly relation: {
    readonly kind: 'morphTo'
    readonly foreignKey: string
    readonly morphType: string
  }
  /** The relation to each repository, by its URI key. */
  readonly links: ReadonlyMap<string, Link>
  test(scope: Scope, tests: unknown): Test
  /** The relation of one row, and the row with its id as it is there; null: there is none. */
  linkOf(row: Row): { readonly link: Link; readonly row: Row } | null
  /** The records of a level, by the relation they go through. */
  split<Rows extends Loaded & { readonly times: readonly number[] | null }>(
    level: Rows,
  ): readonly (readonly [key: string, link: Link, part: Rows])[]
}

export type RelationEntry = Relation | Computed | Member | MorphTo

/** A stored relation of one repository. */
export interface Link {
  readonly key: string
  readonly source: Entity
  readonly relation: Relation
  readonly toOne: boolean
  /** Declared pivot fields, and those of them that are shown. */
  readonly pivot: ReadonlyMap<string, Column>
  readonly shownPivot: readonly Column[]
}

export type Entry =
  | Link
  | MorphEntry
  | { readonly key: string; readonly relation: Computed | Member }

/** The entries of one repository, as `related` makes them. */
export interface Related extends Relations {
  readonly entries: ReadonlyMap<string, Entry>
  readonly links: ReadonlyMap<string, Link>
}

/** The entries of a repository; null where it has none. */
export function relatedOf({ relations }: Entity): Related | null {
  return relations as Related | null // only `related` makes them
}

export const linkOf = (entity: Entity, key: string): Link | undefined =>
  relatedOf(entity)?.links.get(key)

export function isLink(entry: Entry): entry is Link {
  return !['computed', 'member', 'morphTo'].includes(entry.relation.kind)
}

export function isMorph(entry: Entry): entry is MorphEntry {
  return entry.relation.kind === 'morphTo'
}

/** The repository a relation points at. */
export const targetOf = ({ relation }: Link): Entity => relation.target().definition

/**
 * Whether a related entry may be asked for; one that reveals a hidden foreign key, of this record
 * or of the related ones, may not.
 */
export function maySeeEntry(access: Access, entry: Entry): boolean {
  // A member shows a field as attributes do: null in rows where the user does not see it.
  if (entry.relation.kind === 'member') return maySeeSome(access, entry.key)
  if (!maySee(access, entry.key)) return false
  if (isMorph(entry)) {
    const { foreignKey, morphType } = entry.relation
    return maySee(access, foreignKey) && maySee(access, morphType)
  }
  if (!isLink(entry) || 'pivot' in entry.relation) return true
  const { relation } = entry
  if (relation.kind === 'belongsTo') return maySee(access, relation.foreignKey)
  const related = accessTo(access.request, targetOf(entry))
  const { foreignKey, morphType } = relation
  return maySee(related, foreignKey) && (morphType === null || maySee(related, morphType))
}

/** A related repository as one request may use it. */
export const accessBehind = ({ request }: Access, link: Link): Access =>
  accessTo(request, targetOf(link))

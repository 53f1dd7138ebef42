/**
 * How the entries of `related()` are described in a repository. Data only; `loader.ts` reads them.
 */

import type { z } from 'zod'
import type { StorageKind } from '../../model/columns.js'
import type { AnyRepository } from '../../operations/repository.js'

/**
 * Repositories refer to each other in circles, so each is named by a function and asked for at the
 * first request.
 */
export type Target = () => AnyRepository

/** The table between the two sides of a many-to-many relation. */
export interface Pivot {
  readonly table: string
  /** Its column that points at this record. */
  readonly foreignKey: string
  /** Its column that points at the related record. */
  readonly relatedKey: string
  /** Pivot fields. */
  readonly columns: Readonly<Record<string, StorageKind>>
  /** What attach and sync may write of them, and the rule a value must pass. */
  readonly rules?: Readonly<Record<string, z.ZodType>>
  /** Written into new rows where the request leaves a field out. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Fields that are not shown under `pivots`. */
  readonly hidden?: readonly string[]
}

export interface MorphPivot extends Pivot {
  /** Its column that holds this repository's URI key. */
  readonly morphType: string
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
}

export interface HasRelated {
  readonly kind: 'hasOne' | 'hasMany' | 'morphOne' | 'morphMany'
  readonly target: Target
  /** Column of the related table. */
  readonly foreignKey: string
  /** Morphs: the column of the related table that holds this repository's URI key. */
  readonly morphType: string | null
}

export interface ThroughPivot {
  readonly kind: 'belongsToMany' | 'morphToMany'
  readonly target: Target
  readonly pivot: Pivot & { readonly morphType?: string; readonly foreignKind?: 'text' }
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

export type RelationEntry = Relation | Computed | Member

/**
 * At most one record, pointed at by a column of this table.
 * @example owner: belongsTo(() => UserRepository, { foreignKey: 'owner_id', filledBy: 'user' })
 */
export function belongsTo(
  target: Target,
  options: {
    readonly foreignKey: string
    /** The signed-in user's id is written on store. */
    readonly filledBy?: 'user'
    /** Columns of the related record that `search` reaches. */
    readonly searchable?: readonly string[]
    /** Columns of the related record that `sort=<key>.<column>` reaches. */
    readonly sortable?: readonly string[]
  },
): BelongsTo {
  const { foreignKey, filledBy = null, searchable = [], sortable = [] } = options
  return { kind: 'belongsTo', target, foreignKey, filledBy, searchable, sortable }
}

/** One record that points back; the newest where there are several. */
export function hasOne(target: Target, options: { readonly foreignKey: string }): HasRelated {
  return { kind: 'hasOne', target, foreignKey: options.foreignKey, morphType: null }
}

/** The records that point back. */
export function hasMany(target: Target, options: { readonly foreignKey: string }): HasRelated {
  return { kind: 'hasMany', target, foreignKey: options.foreignKey, morphType: null }
}

interface MorphOptions {
  readonly foreignKey: string
  readonly morphType: string
}

/** One record that points back by type and id; the newest where there are several. */
export function morphOne(target: Target, options: MorphOptions): HasRelated {
  return { kind: 'morphOne', target, ...options }
}

/** The records that point back by type and id. */
export function morphMany(target: Target, options: MorphOptions): HasRelated {
  return { kind: 'morphMany', target, ...options }
}

/** Records on the other side of a table between; each is shown with its `pivots`. */
export function belongsToMany<const Through extends Pivot>(
  target: Target,
  options: { readonly pivot: Through },
): ThroughPivot {
  return { kind: 'belongsToMany', target, pivot: options.pivot }
}

/** The same through a table shared by several repositories. */
export function morphToMany<const Through extends MorphPivot>(
  target: Target,
  options: { readonly pivot: Through },
): ThroughPivot {
  return { kind: 'morphToMany', target, pivot: options.pivot }
}

/**
 * Answered by `computed` of the hooks: for each record, or with `batch` for a whole page at once.
 */
export function computed(options: { readonly batch?: boolean } = {}): Computed {
  return { kind: 'computed', batch: options.batch ?? false }
}

/** A bare key: the visible field of that name, or another entry's relation. */
export function member(of: 'field'): Member
export function member(of: 'relation', key: string): Member
export function member(of: 'field' | 'relation', key?: string): Member {
  return { kind: 'member', relation: of === 'relation' ? (key ?? null) : null }
}

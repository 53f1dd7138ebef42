import type { Manifest } from '../manifest/manifest.js'
import type { Context, EntityDraft } from './entity-draft.js'
import type { Shapes } from './fields/shapes.js'
import type { Link } from './relations/link.js'
import type { Blueprint, Column, Entity, FeatureTable, Json, Kept, Pivot } from './types.js'

/** A feature's part while a manifest is read. */
export interface CheckedFeature {
  /** Its key in `blueprint.features`. */
  readonly name: string
  readonly check?: FeatureCheck
  /** Functions that a manifest is written with: `fullText`. */
  readonly vocabulary?: Readonly<Record<string, unknown>>
  /** Those of its functions whose type argument is an answer, as that of `computed<number>()`: only getters are answered. */
  readonly answered?: readonly string[]
  /** Says what the database keeps for it beside the table of a repository; null: nothing. Its `keeper` writes the SQL. */
  readonly kept?: (entity: Entity, blueprint: Blueprint) => Kept | null
}

/** A feature's part while a manifest is checked. */
export interface FeatureCheck {
  /** Its options of `defineManifest`, and what they take. */
  readonly options?: Shapes
  /** Its options of `repository`, and what they take. */
  readonly repositoryOptions?: Shapes
  /** Its options of relations that are not `belongsTo`, and what they take: only records below have any. */
  readonly hasOptions?: Shapes
  /**
   * A repository as it was written, where lists of columns hold words of its own: without these, and with a name in the place of
   * a key of `sort`. `draft.asWritten` has them.
   */
  readonly plain?: (written: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Columns that it adds to a repository, or has in place of the field of that name. What is wrong is reported. */
  readonly columns?: (draft: EntityDraft, report: Context['report']) => readonly Column[]
  /** Returns the keys that it adds to `sort`; `facts` reports their problems. */
  readonly sortKeys?: (draft: EntityDraft) => readonly string[]
  /** What `match` of a repository may hold because of it, besides columns: only relations have keys there. */
  readonly matchKeys?: (draft: EntityDraft) => readonly string[]
  /** Reads its part of the blueprint; undefined: there is none. Problems are reported. */
  readonly facts?: (
    manifest: Manifest,
    context: Context,
    pivots: readonly Pivot[],
  ) => Json | undefined
  /** The relations that the manifest declares, with what it fills of them, and those that it adds: only `created_by` is one. */
  readonly links?: (
    manifest: Manifest,
    context: Context,
    declared: readonly Link[],
  ) => readonly Link[]
  /** Tables that it needs; asked where the blueprint says something of it, or it says nothing of any project. */
  readonly tables?: (context: Context) => readonly FeatureTable[]
}

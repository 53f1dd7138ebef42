import { type KeyKind, storedAs } from '../kinds/kinds.js'
import type { RepositoryDefinition } from '../manifest/repository.js'
import type { Shapes } from './fields/shapes.js'
import type { EntityNames } from './names/names.js'
import type { Path, Report } from './problems.js'
import type { Column, Computed, Member, MorphTo, Relation } from './types.js'

/** An entity while its columns and relations are still being found. Only `blueprint/` adds to the lists. */
export interface EntityDraft {
  /** Its key in `defineManifest`, where paths of problems begin and what relations name. */
  readonly path: string
  readonly key: string
  readonly names: EntityNames
  readonly id: KeyKind
  /** Facts about ids that bodies name. */
  readonly givenId: Pick<Column, 'given' | 'max'>
  readonly definition: RepositoryDefinition
  /**
   * The definition with the words that features have in lists of columns. Features report the
   * problems.
   */
  readonly asWritten: Readonly<Record<string, unknown>>
  /** Names of all that was written where fields might stand: why one of them is no column has been reported. */
  readonly written: ReadonlySet<string>
  /** Has-many relations that stand among the fields. */
  readonly listed: ReadonlySet<string>
  readonly fields: Column[]
  readonly foreign: Column[]
  readonly morphs: Column[]
  readonly relations: Relation[]
  readonly morphTo: MorphTo[]
  readonly computed: Computed[]
  readonly members: Member[]
}

export interface Context {
  /** Options that features add to `hasOne`, `hasMany`, `belongsToMany` and morphs. */
  readonly hasOptions: Shapes
  readonly drafts: readonly EntityDraft[]
  /** By name in `defineManifest`. */
  readonly named: ReadonlyMap<string, EntityDraft>
  /** The repository whose rows sign in. */
  readonly auth: EntityDraft | null
  readonly report: Report
  /** The file of the manifest that exports a name, and of which defineManifest lists nothing. */
  readonly unlisted: (name: string) => string | undefined
}

const GIVEN: readonly Column[] = ['created_at', 'updated_at'].map((name) =>
  column({ name, role: 'timestamp', kind: 'dateTime', readonly: true }),
)

export function column(facts: Pick<Column, 'name' | 'role' | 'kind'> & Partial<Column>): Column {
  const plain = { nullable: false, unique: false, indexed: false, hidden: false, readonly: false }
  const { name, role, kind, ...rest } = facts
  return { name, role, kind, ...plain, ...rest }
}

/** Every column of the table in order. */
export function columnsOf(draft: EntityDraft): readonly Column[] {
  const { key: stored = 'id', timestamps } = draft.definition
  const named = stored === 'id' ? {} : { stored }
  const readonly = draft.givenId.given === undefined
  const facts = { ...draft.givenId, ...named }
  const id = column({ name: 'id', role: 'id', kind: draft.id, readonly, ...facts })
  const given = timestamps === false ? [] : GIVEN
  return [id, ...draft.fields, ...draft.foreign, ...draft.morphs, ...given]
}

/** Columns are compared without case: SQLite does, and so should people. */
export const findColumn = (draft: EntityDraft, name: string) =>
  columnsOf(draft).find((each) => each.name.toLowerCase() === name.toLowerCase())

export const inRelated = (draft: EntityDraft, key: string, ...rest: Path): Path => [
  draft.path,
  draft.listed.has(key) ? 'fields' : 'related',
  key,
  ...rest,
]

export const isVisible = (column: Column) => !column.hidden && !storedAs(column).isSecret

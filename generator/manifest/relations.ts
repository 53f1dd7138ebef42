import type { Field } from './field.js'
import type { HasWords, ManyToManyWords } from './words.js'

/** The base of every relation: a frozen description. `Target` is the repository it names itself. */
export interface Relation<Target extends string = string> {
  readonly type: 'relation'
  readonly definition: RelationDefinition
  /** Only for the compiler. */
  readonly target?: Target
}

/** A relation in data: what was written, nothing guessed. */
export interface RelationDefinition {
  readonly kind: string
  readonly target: string | null
  readonly nullable: boolean
  readonly readonly?: boolean
  readonly options: Readonly<Record<string, unknown>>
}

/** A relation whose column is in this repository's table. */
export interface BelongsTo<
  Target extends string = string,
  Column extends string = string,
  Name extends string = string,
> extends Relation<Target> {
  /** Only for the compiler: the column it makes. */
  readonly column?: Column
  /** Only for the compiler: the model relationship it reads, when it is not the key. */
  readonly relationship?: Name
  /** A record may do without; deleting the related record empties the column. */
  nullable(): this
  /** Shown, never taken from a request body: hooks fill it, or the record above a nested route is it. */
  readonly(): this
  /** The name that the relation had before, so that the migration renames its column and keeps what it points at. */
  renamedFrom(name: string): this
}

/** A belongsTo whose column is emptied when the related record goes: it wants `.nullable()`. */
export interface Emptied<
  Target extends string = string,
  Column extends string = string,
  Name extends string = string,
> extends Relation<Target> {
  /** Only for the compiler. */
  readonly emptied?: true
  readonly column?: Column
  readonly relationship?: Name
  /** A record may do without; deleting the related record empties the column. */
  nullable(): BelongsTo<Target, Column, Name>
  /** Shown, never taken from a request body: hooks fill it, or the record above a nested route is it. */
  readonly(): this
  /** The name that the relation had before, so that the migration renames its column and keeps what it points at. */
  renamedFrom(name: string): this
}

type MadeBelongsTo<Target extends string, Column extends string, Name extends string, OnDelete> = [
  OnDelete,
] extends [never]
  ? BelongsTo<Target, Column, Name>
  : [OnDelete] extends ['setNull']
    ? Emptied<Target, Column, Name>
    : BelongsTo<Target, Column, Name>

/** Any other relation. */
export interface OtherRelation<
  Target extends string = string,
  Name extends string = string,
> extends Relation<Target> {
  /** Only for the compiler: the model relationship it reads, when it is not the key. */
  readonly relationship?: Name
}

/** A relation that may also stand among the fields: GraphQL then shows its ids, and takes them. */
export interface HasMany<
  Target extends string = string,
  Name extends string = string,
> extends OtherRelation<Target, Name> {
  /** Only for the compiler. */
  readonly listable?: true
}

/** The other side of morphOne and morphMany; its two columns are in this repository's table. */
export interface MorphTo<Morph extends string = string> extends OtherRelation<never, never> {
  /** Only for the compiler: what its columns begin with, when it is not the key. */
  readonly morph?: Morph
}

interface Common<Name> {
  /** The model relationship it reads, when clients ask for it by another name (spec: the long form). */
  readonly relation?: Name
  /** One sentence for people. */
  readonly description?: string
}

export interface BelongsToOptions<
  Column extends string = string,
  Name extends string = string,
  OnDelete = 'restrict' | 'cascade' | 'setNull',
> extends Common<Name> {
  /** The field that holds the id, and its column; `<relation>_id` unless you say. */
  readonly foreignKey?: Column
  /** The name of that column in the database, where it differs: `column: 'CustomerID'`. */
  readonly column?: string
  /** Written on store with the signed-in user's id, never taken from the body. */
  readonly filledBy?: 'user'
  /** Columns of the related record that `search` looks into as well. */
  readonly searchable?: readonly string[]
  /** Columns of the related record to sort by: `sort=owner.name`. */
  readonly sortable?: readonly string[]
  /**
   * The effect of deleting the related record: `restrict` (answers 409) unless nullable, then
   * `setNull`.
   */
  readonly onDelete?: OnDelete
  /** The name that the relation or its column had before, so that the migration keeps its values; `.renamedFrom()` too. */
  readonly renamedFrom?: string
}

export interface HasOptions<Name extends string = string> extends Common<Name>, HasWords {
  /** The belongsTo entry of the related repository that points back, when there are several. */
  readonly inverse?: string
  /** The related table's column that points back. */
  readonly foreignKey?: string
}

interface OfOne {
  /** Columns of the related record to sort by: `sort=phone.number`. */
  readonly sortable?: readonly string[]
}

export interface HasOneOptions<Name extends string = string> extends HasOptions<Name>, OfOne {}

export interface MorphOneOptions<Name extends string = string> extends MorphOptions<Name>, OfOne {}

export interface MorphOptions<Name extends string = string> extends Common<Name>, HasWords {
  /** Prefix of the related table's columns `<name>_type` and `<name>_id`, e.g. `imageable`. */
  readonly name?: string
  /** The effect of deleting this record on them: `restrict` (answers 409) by default. */
  readonly onDelete?: 'restrict' | 'cascade' | 'setNull'
}

export interface MorphToOptions<Morph extends string = string> {
  /** Prefix of the columns `<name>_type` and `<name>_id`; its key unless you say. */
  readonly name?: Morph
  /** One sentence for people. */
  readonly description?: string
}

export interface BelongsToManyOptions<Name extends string = string>
  extends Common<Name>, ManyToManyWords {
  /** The pivot table; both singulars in alphabetical order unless you say: `company_user`. */
  readonly table?: string
  /** The column of the pivot table that points at this record. */
  readonly foreignKey?: string
  /** The column of the pivot table that points at the related record. */
  readonly relatedKey?: string
  /** Fields of the pivot table, shown as `pivots`. One side suffices; when both declare them they must agree. */
  readonly pivot?: Readonly<Record<string, Field>>
}

export interface MorphToManyOptions<Name extends string = string>
  extends Common<Name>, ManyToManyWords {
  /** Prefix of the columns `<name>_type` and `<name>_id` of the pivot table, e.g. `taggable`. */
  readonly name?: string
  /** The pivot table; the plural of `name` unless you say: `taggables`. */
  readonly table?: string
  /** The column of the pivot table that points at the related record. */
  readonly relatedKey?: string
  /** Fields of the pivot table, shown as `pivots`. */
  readonly pivot?: Readonly<Record<string, Field>>
}

const belongsToModifiers = Object.freeze({
  nullable(this: BelongsTo): BelongsTo {
    return freeze(this.definition.kind, { ...this.definition, nullable: true })
  },
  readonly(this: BelongsTo): BelongsTo {
    return freeze(this.definition.kind, { ...this.definition, readonly: true })
  },
  renamedFrom(this: BelongsTo, name: string): BelongsTo {
    const options = Object.freeze({ ...this.definition.options, renamedFrom: name })
    return freeze(this.definition.kind, { ...this.definition, options })
  },
})

function freeze<Kind extends Relation>(kind: string, definition: RelationDefinition): Kind {
  const prototype = kind === 'belongsTo' ? belongsToModifiers : Object.prototype
  const value = { type: 'relation', definition: Object.freeze(definition) }
  // Object.create is untyped; the phantom members of `Kind` exist for the compiler alone.
  return Object.freeze(Object.assign(Object.create(prototype), value)) as Kind
}

/** The four call forms: `()`, `(target)`, `(options)`, `(target, options)`. */
function relation<Kind extends Relation>(kind: string, first: unknown, second: unknown): Kind {
  const target = typeof first === 'string' ? first : null
  const options = target === null ? first : second
  return freeze<Kind>(kind, {
    kind,
    target,
    nullable: false,
    // A wrong second argument is kept: the blueprint names what is in it.
    options: Object.freeze({ ...(options as object | undefined) }),
  })
}

/**
 * One related record; the column is in this table. The target is guessed from the key.
 *
 * @example owner: belongsTo('users', { filledBy: 'user', searchable: ['name'] })
 */
export function belongsTo<
  const Target extends string = never,
  const Column extends string = never,
  const Name extends string = never,
  const OnDelete extends 'restrict' | 'cascade' | 'setNull' = never,
>(
  target?: Target | BelongsToOptions<Column, Name, OnDelete>,
  options?: BelongsToOptions<Column, Name, OnDelete>,
): MadeBelongsTo<Target, Column, Name, OnDelete> {
  return relation('belongsTo', target, options)
}

/**
 * At most one related record; the column is in its table.
 *
 * @example phone: hasOne()
 */
export function hasOne<const Target extends string = never, const Name extends string = never>(
  target?: Target | HasOneOptions<Name>,
  options?: HasOneOptions<Name>,
): OtherRelation<Target, Name> {
  return relation('hasOne', target, options)
}

/**
 * Related records whose table has the column; 15 per record unless they say `defaultRelatablePerPage`. Among the
 * `fields` it is the same, and in GraphQL a list of ids beside: `comment_ids`, which gives a record the children it names.
 *
 * @example comments: hasMany()
 */
export function hasMany<const Target extends string = never, const Name extends string = never>(
  target?: Target | HasOptions<Name>,
  options?: HasOptions<Name>,
): HasMany<Target, Name> {
  return relation('hasMany', target, options)
}

/**
 * At most one related record that may belong to records of several repositories.
 *
 * @example image: morphOne({ name: 'imageable' })
 */
export function morphOne<const Target extends string = never, const Name extends string = never>(
  target?: Target | MorphOneOptions<Name>,
  options?: MorphOneOptions<Name>,
): OtherRelation<Target, Name> {
  return relation('morphOne', target, options)
}

/**
 * Related records that may belong to records of several repositories.
 *
 * @example comments: morphMany({ name: 'commentable' })
 */
export function morphMany<const Target extends string = never, const Name extends string = never>(
  target?: Target | MorphOptions<Name>,
  options?: MorphOptions<Name>,
): OtherRelation<Target, Name> {
  return relation('morphMany', target, options)
}

/**
 * The one record it belongs to, of any of the repositories that say so with morphOne or morphMany of its name. Its
 * columns `<name>_type` and `<name>_id` are in this table.
 *
 * @example imageable: morphTo()
 */
export function morphTo<const Morph extends string = never>(
  options?: MorphToOptions<Morph>,
): MorphTo<Morph> {
  return relation('morphTo', options, undefined)
}

/**
 * Many to many, through a pivot table.
 *
 * @example users: belongsToMany({ pivot: { is_admin: boolean().default(false) } })
 */
export function belongsToMany<
  const Target extends string = never,
  const Name extends string = never,
>(
  target?: Target | BelongsToManyOptions<Name>,
  options?: BelongsToManyOptions<Name>,
): OtherRelation<Target, Name> {
  return relation('belongsToMany', target, options)
}

/**
 * Many to many, through a table that records of several repositories share.
 *
 * @example tags: morphToMany({ name: 'taggable' })
 */
export function morphToMany<const Target extends string = never, const Name extends string = never>(
  target?: Target | MorphToManyOptions<Name>,
  options?: MorphToManyOptions<Name>,
): OtherRelation<Target, Name> {
  return relation('morphToMany', target, options)
}

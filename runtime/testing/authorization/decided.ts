/** Routes that svc decided to serve: written by the generator, not derived from the server. */
export interface Decided {
  readonly keys: readonly string[]
  /** The repository whose rows sign in; null: nobody does. */
  readonly signsIn: string | null
  readonly routes: readonly Decision[]
  /** By repository and name: `posts.comments`. */
  readonly relations: Readonly<Record<string, Relation>>
  /** The repositories that columns point at. */
  readonly references: readonly (readonly [of: string, column: string, target: string])[]
  /** Repositories by the names of their types in GraphQL. */
  readonly types?: Readonly<Record<string, string>>
}

/** A line of `svc routes`: what it does, to which repository, by which of its relations. */
export type Decision = readonly [
  method: string,
  path: string,
  does: Does,
  of?: string,
  relation?: string,
]

export type Does =
  | 'index'
  | 'aggregate'
  | 'search'
  | 'show'
  | 'store'
  | 'update'
  | 'patch'
  | 'delete'
  | 'storeMany'
  | 'updateMany'
  | 'deleteMany'
  | 'restore'
  | 'forceDelete'
  | 'actionsOfOne'
  | 'gettersOfOne'
  | 'runMany'
  | 'runOne'
  | 'runNone'
  | 'getOne'
  | 'getNone'
  | 'attach'
  | 'sync'
  | 'detach'
  | 'signIn'
  | 'profile'
  | 'graphql'
  | 'open'

export interface Relation {
  /** A column points at the related record, one of that record points back, or a pivot row does. */
  readonly is: 'pointer' | 'pointedAt' | 'pivot'
  readonly targets: readonly string[]
  readonly column: string
  /** Morphs: the column that says which repository is pointed at. */
  readonly type?: string
  readonly table?: string
  readonly relatedColumn?: string
  /** `column` of the table holds ids of both kinds, as texts. */
  readonly isText?: boolean
  /** Pivot fields that are required. */
  readonly values?: Readonly<Record<string, unknown>>
}

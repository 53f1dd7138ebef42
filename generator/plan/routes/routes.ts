import type { Blueprint, Entity } from '../../blueprint/types.js'

/** A route of the server, as `svc routes` lists it. */
export interface Route {
  readonly method: string
  readonly path: string
  /** Controller and method, or the function or its place; and the policy methods asked; null: none is. */
  readonly controller: string
  readonly policy: string | null
}

/** A route of svc's own, and what it does. */
export interface KnownRoute extends Route {
  readonly does: Does
  /** Another way to what a route does that is told of: in lists of routes, and nowhere else. */
  readonly isAlias?: true
}

/** Operations on a repository's records: method, path, and the policy's question. */
export const operations = [
  ['GET', '', 'index', 'show'],
  ['POST', '', 'store', 'store'],
  ['GET', '/:id', 'show', 'show'],
  ['PUT', '/:id', 'update', 'update'],
  ['PATCH', '/:id', 'patch', 'update'],
  ['DELETE', '/:id', 'delete', 'delete'],
] as const

export type Operation = (typeof operations)[number][2]

export type Does =
  | { readonly is: 'resource'; readonly operation: Operation; readonly entity: Entity }
  | {
      readonly is: 'related'
      readonly operation: Operation
      readonly entity: Entity
      /** The relation, or the morph that leads to one of several repositories. */
      readonly key: string
    }
  | { readonly is: 'health' }
  | FeatureDoes

/** Data that only its feature knows; `entity` and `key`, a relation, where it has them. */
export interface FeatureDoes {
  readonly is: 'feature'
  readonly feature: string
  readonly operation: string
  readonly entity?: Entity
  readonly key?: string
  /** Whose it is of several that one operation is about: an action's. */
  readonly name?: string
  /** A record that it writes, as an update does, or in a way of its own. */
  readonly changes?: { readonly entity: Entity; readonly isUpdate: boolean }
  /** It writes nothing, whatever its method is. */
  readonly onlyReads?: true
}

/** A file of routes. */
export interface RoutesFile {
  readonly path: string
  /** The variable that holds the routes, and where the server mounts it. */
  readonly name: string
  readonly below: string
}

/** A function of svc's that registers routes, where the file calls it: `svcResources(api)`. */
export interface Registration {
  readonly name: string
  /** The file in which svc writes the call. */
  readonly file: string
  /** Returns the routes that it registers; null: unknown, because of its options. */
  readonly routes: (
    below: string,
    project: Routed,
    options: Lists | null,
  ) => readonly KnownRoute[] | null
}

/** Options that are lists of texts: `{ actions: ['login'] }`. */
export type Lists = Readonly<Record<string, readonly string[]>>

/** A feature's routes. */
export interface Serves {
  /** A file of routes that is its own: only GraphQL is mounted beside the API. */
  readonly routesFile?: RoutesFile
  readonly registrations?: readonly Registration[]
  /** Routes of no one repository, from the path of them all on: only a search goes through several. */
  readonly commonRoutes?: (routed: Routed) => readonly KnownRoute[]
  /** What such paths begin with, of those that are read without a token. */
  readonly publicReads?: (routed: Routed) => readonly string[]
  /** Routes of a repository, from its URI key on. */
  readonly entityRoutes?: (entity: Entity, routed: Routed) => readonly KnownRoute[]
}

/** The data that decides which routes exist. */
export interface Routed {
  readonly entities: readonly Entity[]
  readonly auth: Entity | null
  readonly features: readonly Serves[]
  readonly blueprint: Pick<Blueprint, 'features'>
}

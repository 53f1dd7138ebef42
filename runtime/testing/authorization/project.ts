import type { Kysely } from 'kysely'
import type { Entity } from '../../model/entity.js'
import type { App, Client } from '../client.js'
import type { Row, Tested, Values } from '../tested.js'
import type { Decided, Relation } from './decided.js'
import type { Bodies, Own, Roles, World } from './roles.js'

/** The project, as the matrix gets it; its tables are those of `db`, whatever their types. */
export interface Project<
  Key extends string = string,
  User extends Row = Row,
  Db = Kysely<Record<string, Record<string, unknown>>>,
> extends Client<User> {
  readonly app: App & { readonly routes: readonly Route[] }
  readonly db: Db
  readonly decided: Decided
  readonly repositories: readonly Tested<User>[]
  readonly bodies: Bodies<Key, User>
  readonly own: Own<Key, User>
  readonly roles: Roles<User>
  readonly world: World<Key, User>
  /** Prepares a record before it is tried; features define this. */
  readonly prepared?: (
    project: Pick<Project, 'db' | 'repositories'>,
    does: string,
    key: string,
    id: unknown,
  ) => Promise<void>
  /** Bodies about one record where many may be written; a feature knows. */
  readonly many?: Many
  /** Bodies of actions that are refused once the policy agreed; a feature knows. */
  readonly actions?: ActionBodies
}

interface ActionBodies {
  many(entity: Entity, row: Row): object
  readonly others: object
}

interface Many {
  /** Fields that no such body sets: where they are required, there are no new records so. */
  never(entity: Entity): readonly string[]
  store(entity: Entity, values: Values): object
  patch(entity: Entity, row: Row, values: Values): object
  delete(entity: Entity, row: Row): object
}

/** A route of the server, as Hono lists it. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly handler: { readonly length: number }
}

/** Returns the facts of a repository for tests. */
export function tested({ repositories }: Project, key: string): Tested<Row> {
  const found = repositories.find((each) => each.key === key)
  if (found === undefined) throw new Error(`'${key}' is not in tests/repositories.ts`)
  return found
}

/** Returns a repository's definition, and how a row of it is made. */
export function definitionOf(project: Project, key: string) {
  const { repository, make } = tested(project, key)
  return { ...repository.definition, make }
}

export const relationOf = (
  { decided }: Project,
  of: string | undefined,
  name: string | undefined,
): Relation | undefined => decided.relations[`${of ?? ''}.${name ?? ''}`]

/** What an emitted project brings to test its document with, opened in a folder. */
import { join } from 'node:path'
import type { Arbitrary } from 'fast-check'
import { formatProblems } from '../../../generator/blueprint/problems.js'
import type { Entity } from '../../../generator/blueprint/types.js'
import type { Operation } from '../../../runtime/testing/contract/operations.js'
import { readContract, type Contract } from '../../../runtime/testing/contract/read-contract.js'
import {
  addressOf,
  queryOf,
  rightRequests,
  type Sent,
} from '../../../runtime/testing/contract/requests.js'
import { spoiledRequests } from '../../../runtime/testing/contract/spoiled-requests.js'
import { load } from '../../support/project.js'
import { readBlueprint } from '../../support/with-features.js'

export type { Operation, Sent }

interface Row {
  readonly id: number | string
}

/** The document of a project, and what `testContract` does with it. */
export interface Parts {
  readonly contract: Contract
  readonly right: (operation: Operation) => Arbitrary<Sent>
  readonly spoiled: (operation: Operation) => Arbitrary<Sent>
  readonly queryOf: (parameters: readonly (readonly [string, unknown])[]) => string
  /** The ids of all records made here. */
  readonly ids: string[]
  /** Keys of the repositories. */
  readonly keys: readonly string[]
  /** Repositories that fields of bodies refer to: `post_id`, and `tags` where tags are attached. */
  readonly references: ReadonlyMap<string, string>
  /** Repositories below others, by their paths: `posts/comments`. */
  readonly targets: ReadonlyMap<string, string>
  /** Columns that relations own, by the same: `comments/post` has `post_id`. */
  readonly columns: ReadonlyMap<string, string>
  /** Makes records of a repository, the last of them of a user. */
  readonly makeRows: (key: string, user: Row | null) => Promise<readonly string[]>
  /** A new user with a token; null where nobody signs in. */
  readonly signIn: () => Promise<{ readonly user: Row; readonly token: string } | null>
  readonly send: (operation: Operation, sent: Sent, options: SendOptions) => Promise<Response>
  /** Every route that the server has a handler for, as Hono lists them. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
}

interface SendOptions {
  /** Ids for `{id}`. */
  readonly known: readonly string[]
  readonly token: string | null
}

export async function partsOf(folder: string): Promise<Parts> {
  const { repositories } = await load(folder, 'tests/repositories.ts')
  const factories = await load(folder, 'tests/factories.ts')
  const { database } = await load(folder, 'app/database.ts')
  const { createApp } = await load(folder, 'app/app.ts')
  const app = createApp()
  const entities = await entitiesOf(folder)
  const ids: string[] = []
  const contract = readContract(join(folder, 'app/OpenApi/openapi.json'), () => ids)
  const hasUsers = contract.operations.some(({ id }) => id === 'login')
  return {
    contract,
    ids,
    keys: repositories.map(({ key }: { readonly key: string }) => key),
    references: new Map(entities.flatMap(referencesOf)),
    targets: new Map(entities.flatMap(targetsOf)),
    columns: new Map(entities.flatMap(columnsOf)),
    queryOf,
    right: (operation) => rightRequests(contract, operation),
    spoiled: (operation) => spoiledRequests(contract, operation),
    routes: app.routes,
    makeRows: async (key, user) => {
      const found = repositories.find((each: { key: string }) => each.key === key)
      const rows: readonly Row[] = await found.rows(user)
      const made = rows.map(({ id }) => String(id))
      ids.push(...made)
      return made
    },
    signIn: async () => {
      if (!hasUsers) return null
      const { issueToken } = await load(folder, 'runtime/features/sign-in/tokens.ts')
      const user: Row = await factories.makeUser()
      const { text } = await issueToken(database, { userId: user.id, name: 'test', ttl: null })
      return { user, token: text }
    },
    send: async (operation, sent, { known, token }) => {
      const pick = (name: string, at: number) => (name === 'id' ? known : ids).at(at % 7) ?? '1'
      const bearer = token === null ? {} : { authorization: `Bearer ${token}` }
      return app.request(addressOf(operation, sent, pick), {
        method: operation.method,
        headers: { ...bearer, ...sent.headers },
        ...(sent.body === null ? {} : { body: sent.body }),
      })
    },
  }
}

const aliases = new Map([
  ['page', 'page[number]'],
  ['perPage', 'page[size]'],
  ['include', 'related'],
])
const alone = new Set(['search', 'sort', 'withMeta', 'relatablePerPage'])

/** Other names of a parameter, as the description of the document has them. */
export function aliasesOf(name: string): readonly string[] {
  const alias = aliases.get(name)
  if (alias !== undefined) return [alias]
  return alone.has(name) || name.startsWith('filter[') ? [] : [`filter[${name}]`]
}

async function entitiesOf(folder: string): Promise<readonly Entity[]> {
  const read = await readBlueprint(folder)
  if ('problems' in read) throw new Error(formatProblems(read.problems))
  return read.blueprint.entities
}

const referencesOf = ({ columns, relations }: Entity) => [
  ...columns.flatMap(({ name, references }) =>
    references === undefined ? [] : [[name, references.entity] as const],
  ),
  ...relations.flatMap(({ key, pivot, target }) =>
    pivot === null ? [] : [[key, target] as const],
  ),
]

const targetsOf = ({ key, relations }: Entity) =>
  relations.map((relation) => [`${key}/${relation.key}`, relation.target] as const)

const columnsOf = ({ key, relations }: Entity) =>
  relations.flatMap((relation) =>
    relation.kind === 'belongsTo' ? [[`${key}/${relation.key}`, relation.foreignKey] as const] : [],
  )

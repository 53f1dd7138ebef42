/** The endpoint on the repositories of `tests/core/kernel/blog.ts`, with a schema of its own. */
import { Hono } from 'hono'
import { pino } from 'pino'
import type { Environment } from '../../../runtime/config/env.js'
import {
  defineConfig,
  settingsOf,
  type SvcConfigInput,
} from '../../../runtime/config/server-config.js'
import type { Database } from '../../../runtime/database/types.js'
import { readIdLists } from '../../../runtime/features/child-lists/graphql.js'
import { defineGraphql, type GraphqlConfigInput } from '../../../runtime/features/graphql/config.js'
import { createGraphql } from '../../../runtime/features/graphql/endpoint.js'
import type { ResolverClass } from '../../../runtime/features/graphql/resolver.js'
import { onError } from '../../../runtime/http/answers.js'
import type { ServerEnv } from '../../../runtime/http/context.js'
import { requestContext } from '../../../runtime/http/layers.js'
import type { AnyRepository } from '../../../runtime/operations/repository.js'
import { createBlog, type BlogOptions } from '../../core/kernel/blog.js'

export const ada = { id: 1 }

export const sdl = (more = '', fields = '', input = '') => `
  directive @field(resolver: String!) on FIELD_DEFINITION
  directive @ids(of: String!) on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
  type Query {
    user(id: ID!): User @field(resolver: "UserResolver@show")
    note(id: ID!): Note @field(resolver: "NoteResolver@show")
    post(id: ID!): Post @field(resolver: "PostResolver@show")
    postList(first: Int = 15, page: Int = 1): [Post!]! @field(resolver: "PostResolver@index")
    ${more}
  }
  type Mutation {
    createPost(input: PostInput!): Post! @field(resolver: "PostResolver@create")
    createNote(input: NoteInput!): Note! @field(resolver: "NoteResolver@create")
    createUser(input: UserInput!): User! @field(resolver: "UserResolver@create")
    updatePost(id: ID!, input: PostInput!): Post! @field(resolver: "PostResolver@update")
    updateUser(id: ID!, input: UserInput!): User! @field(resolver: "UserResolver@update")
  }
  type Post { id: ID! comment_ids: [String!] @ids(of: "comments") title: String owner_id: String owner: User comments(first: Int = 15, search: String, match: CommentMatch): [Comment!] ${fields} }
  type Comment { id: ID! body: String post_id: String }
  type Note { id: ID! text: String child_ids: [String!] @ids(of: "children") }
  type User { id: ID! name: String post_ids: [String!] @ids(of: "posts") posts(first: Int = 15): [Post!] posts_total: Int }
  input PostInput { title: String comment_ids: [ID!] @ids(of: "comments") }
  input CommentMatch { post_id: String }
  input NoteInput { text: String child_ids: [ID!] @ids(of: "children") }
  input UserInput { name: String email: String password: String post_ids: [ID!] @ids(of: "posts") ${input} }
`

export interface Options {
  readonly text?: string
  readonly resolvers?: Readonly<Record<string, ResolverClass<never>>>
  readonly graphql?: GraphqlConfigInput
  readonly environment?: Environment
  readonly middleware?: string[]
  readonly blog?: BlogOptions
  readonly user?: object | null | (() => object | null)
  readonly repositories?: Readonly<Record<string, AnyRepository>>
  readonly limits?: NonNullable<SvcConfigInput['limits']>
}

// Tests look into answers freely; a wrong path is a failing test.
// oxlint-disable-next-line typescript/no-explicit-any
type Ask = ((query: string, variables?: Record<string, unknown>) => Promise<any>) & {
  readonly request: (path: string, init?: RequestInit) => Response | Promise<Response>
}

export function serve(
  database: Database,
  {
    text = sdl(),
    resolvers = {},
    graphql = {},
    environment = 'test',
    middleware = [],
    blog,
    user = ada,
    limits = {},
    repositories: given = {},
  }: Options = {},
): Ask {
  const config = defineConfig({ middleware, limits })
  const settings = settingsOf(config)
  const { posts, users, notes, comments } = createBlog(database, { settings, ...blog })
  const app = new Hono<ServerEnv<object>>()
  const log = pino({ level: 'silent' })
  app.use(requestContext({ config, log }))
  app.use(async (c, next) => {
    c.set('user', typeof user === 'function' ? user() : user)
    await next()
  })
  const names = () => []
  const repositories = { Comment: comments, Note: notes, Post: posts, User: users, ...given }
  app.route(
    '/graphql',
    createGraphql<ServerEnv<object>>({
      config,
      graphql: defineGraphql(graphql),
      environment,
      middleware: names,
      path: 'schema.graphql',
      text,
      repositories,
      resolvers,
      readInput: readIdLists,
    }),
  )
  app.onError(onError)
  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }
    const response = await app.request('/graphql', init)
    return response.json()
  }
  return Object.assign(ask, { request: app.request })
}

import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'
import { whole } from '../../config/server-config.js'

const typeName = z
  .string()
  .regex(/^(?:[A-Z]\w*|\[[A-Z]\w*!?\])$/, { error: "must be a type like 'Money' or '[Money!]'" })

const entityName = z.string().regex(/^[A-Z]\w*$/, { error: "must be a name like 'Article'" })

const output = z.strictObject({
  /** Folder of the schema and of `Resolvers/`. Default `app/GraphQL`. */
  path: z.string().default('app/GraphQL'),
  /** Default `schema.graphql`. */
  schema_file: z.string().default('schema.graphql'),
  /** Write a resolver file for each repository; without, the endpoint has them. Default false. */
  resolvers: z.boolean().default(false),
  /** Order of types and of root fields: by `name` (default), or as in the `manifest`. */
  sort: z.enum(['name', 'manifest']).default('name'),
  /** Descriptions of the manifest in the schema. Default true. */
  descriptions: z.boolean().default(true),
})

const schema = z.strictObject({
  /** Objects for relations, totals, and the search, sort and match arguments. Default true. */
  relations: z.boolean().default(true),
  /** `created_at` and `updated_at`. Default true. */
  timestamps: z.boolean().default(true),
  /** Create, update and delete. Default true. */
  mutations: z.boolean().default(true),
  /** Default of `first` of a list. Default 15. */
  first: whole(1, 10_000).default(15),
  /** An input of its own for create, with what is required, and lists of enums. Default false. */
  precise: z.boolean().default(false),
  /** To-many relations that are fields too, as lists of ids: `{ posts: ['comments'] }`. */
  ids: z.record(z.string(), z.array(z.string())).default({}),
})

const repositories = z.strictObject({
  /** URI keys of the repositories in the schema. Default: all. */
  only: z.array(z.string()).optional(),
  /** URI keys of those left out. */
  except: z.array(z.string()).default([]),
  /** Names of their types: `{ posts: 'Article' }`. */
  names: z.record(z.string(), entityName).default({}),
})

const limits = z.strictObject({
  /** Deepest nesting of fields. Default 10. */
  depth: whole(1, 100).default(10),
  /** Aliases in one document. Default 30. */
  aliases: whole(0, 100_000).default(30),
  /** Fields in one document, fragments counted where they are used. Default 500. */
  fields: whole(1, 1_000_000).default(500),
  /**
   * Records a query could answer, by the page sizes it asks for, and its statements: 10 each, 100
   * more for a total, 1,000 more for a search. Default 10,000.
   */
  cost: whole(1, 1_000_000_000).default(10_000),
  /** Tokens of a document. Default 2,000. */
  tokens: whole(1, 1_000_000).default(2_000),
  /** Documents remembered as parsed and validated. Default 500. */
  documents: whole(1, 100_000).default(500),
})

const config = z.strictObject({
  /** False: no endpoint, no schema, no resolvers. Read by the generator. Default true. */
  enabled: z.boolean().default(true),
  /** Sets where `svc generate` and `svc graphql:generate` write, and how. */
  output: output.prefault({}),
  /** GraphQL type of a field kind, where it is another one: `{ decimal: 'String' }`. */
  types: z.record(z.string(), typeName).default({}),
  /** GraphQL type of one field: `{ 'posts.price': 'Money' }`. Unknown names become scalars. */
  fields: z.record(z.string(), typeName).default({}),
  schema: schema.prefault({}),
  repositories: repositories.prefault({}),
  /** Root fields of your own that are answered without a token: `['ping']`. */
  public_fields: z.array(z.string()).default([]),
  /** Whether clients may ask for the schema: true, false, or (default) not in production. */
  introspection: z.union([z.boolean(), z.literal('development')]).default('development'),
  /** The page for browsers at GET /graphql. Default true; in development only. */
  graphiql: z.boolean().default(true),
  limits: limits.prefault({}),
})

type ReadonlyDeep<T> = { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }

/** The type of `config/svc-graphql.ts`. Every key may be left out; the defaults are here. */
export type GraphqlConfigInput = ReadonlyDeep<z.input<typeof config>>

/** The config with every key filled in. */
export type GraphqlConfig = Readonly<z.output<typeof config>>

/** Checks `config/svc-graphql.ts` when it is loaded; a wrong or unknown key stops the start. */
export function defineGraphql(given: GraphqlConfigInput): GraphqlConfig {
  return checkConfig('config/svc-graphql.ts', config, given)
}

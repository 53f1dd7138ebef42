import { z } from 'zod'
import { checkConfig } from '../../config/check-config.js'

/** What `config/svc-graphql.ts` may say. Every key may be left out; the defaults are named here. */
export interface GraphqlConfigInput {
  /** False: no endpoint, no schema, no resolvers. Read by the generator. Default true. */
  readonly enabled?: boolean
  /** Where `svc generate` and `svc graphql:generate` write, and how. */
  readonly output?: {
    /** Folder of the schema and of `Resolvers/`. Default `app/GraphQL`. */
    readonly path?: string
    /** Default `schema.graphql`. */
    readonly schema_file?: string
    /** Write a resolver file for each repository; without, the standard ones serve. Default true. */
    readonly resolvers?: boolean
    /** Order of types and of root fields: by `name` (default), or as in the `manifest`. */
    readonly sort?: 'name' | 'manifest'
    /** Descriptions of the manifest in the schema. Default true. */
    readonly descriptions?: boolean
  }
  /** GraphQL type of a field kind, where it is another one: `{ decimal: 'String' }`. */
  readonly types?: Readonly<Record<string, string>>
  /** GraphQL type of one field: `{ 'posts.price': 'Money' }`. Unknown names become scalars. */
  readonly fields?: Readonly<Record<string, string>>
  readonly schema?: {
    /** Objects for relations, totals, and the search, sort and match arguments. Default true. */
    readonly relations?: boolean
    /** `created_at` and `updated_at`. Default true. */
    readonly timestamps?: boolean
    /** Create, update and delete. Default true. */
    readonly mutations?: boolean
    /** Default of `first` of a list. Default 15. */
    readonly first?: number
    /** To-many relations that are fields too, as lists of ids: `{ posts: ['comments'] }`. */
    readonly ids?: Readonly<Record<string, readonly string[]>>
  }
  readonly repositories?: {
    /** URI keys of the repositories in the schema. Default: all. */
    readonly only?: readonly string[]
    /** URI keys of those left out. */
    readonly except?: readonly string[]
    /** Names of their types: `{ posts: 'Article' }`. */
    readonly names?: Readonly<Record<string, string>>
  }
  /** Root fields of your own that are answered without a token: `['ping']`. */
  readonly public_fields?: readonly string[]
  /** Whether clients may ask for the schema: true, false, or (default) not in production. */
  readonly introspection?: boolean | 'development'
  /** The page for browsers at GET /graphql. Default true; in development only. */
  readonly graphiql?: boolean
  readonly limits?: {
    /** Deepest nesting of fields. Default 10. */
    readonly depth?: number
    /** Aliases in one document. Default 30. */
    readonly aliases?: number
    /** Fields in one document, fragments counted where they are used. Default 500. */
    readonly fields?: number
    /** Records a query could answer, by the page sizes it asks for. Default 10,000. */
    readonly cost?: number
    /** Tokens of a document. Default 2,000. */
    readonly tokens?: number
    /** Documents remembered as parsed and validated. Default 500. */
    readonly documents?: number
  }
}

const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z
    .number({ error })
    .refine((n) => Number.isInteger(n) && n >= least && n <= most, { error })
}

const typeName = z
  .string()
  .regex(/^(?:[A-Z]\w*|\[[A-Z]\w*!?\])$/, { error: "must be a type like 'Money' or '[Money!]'" })

const entityName = z.string().regex(/^[A-Z]\w*$/, { error: "must be a name like 'Article'" })

const schema = z.strictObject({
  enabled: z.boolean().default(true),
  output: z
    .strictObject({
      path: z.string().default('app/GraphQL'),
      schema_file: z.string().default('schema.graphql'),
      resolvers: z.boolean().default(true),
      sort: z.enum(['name', 'manifest']).default('name'),
      descriptions: z.boolean().default(true),
    })
    .prefault({}),
  types: z.record(z.string(), typeName).default({}),
  fields: z.record(z.string(), typeName).default({}),
  schema: z
    .strictObject({
      relations: z.boolean().default(true),
      timestamps: z.boolean().default(true),
      mutations: z.boolean().default(true),
      first: whole(1, 10_000).default(15),
      ids: z.record(z.string(), z.array(z.string())).default({}),
    })
    .prefault({}),
  repositories: z
    .strictObject({
      only: z.array(z.string()).optional(),
      except: z.array(z.string()).default([]),
      names: z.record(z.string(), entityName).default({}),
    })
    .prefault({}),
  public_fields: z.array(z.string()).default([]),
  introspection: z.union([z.boolean(), z.literal('development')]).default('development'),
  graphiql: z.boolean().default(true),
  limits: z
    .strictObject({
      depth: whole(1, 100).default(10),
      aliases: whole(0, 100_000).default(30),
      fields: whole(1, 1_000_000).default(500),
      cost: whole(1, 1_000_000_000).default(10_000),
      tokens: whole(1, 1_000_000).default(2_000),
      documents: whole(1, 100_000).default(500),
    })
    .prefault({}),
})

/** The config with every key filled in. */
export type GraphqlConfig = Readonly<z.output<typeof schema>>

/** Checks `config/svc-graphql.ts` when it is loaded; a wrong or unknown key stops the start. */
export function defineGraphql(config: GraphqlConfigInput): GraphqlConfig {
  return checkConfig('config/svc-graphql.ts', schema, config)
}

import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { Context } from 'hono'
import type { Input, WriteOptions } from '../../operations/repository.js'

/** The third argument of every resolver. */
export interface GraphqlContext<User = unknown> {
  /** The row of the signed-in user, or null. */
  readonly user: User | null
  /** The request. */
  readonly c: Context
}

/**
 * The standard four arguments. Arguments of a field are what the schema says they are: `args` is
 * checked before a resolver runs.
 */
export type FieldResolver<User = unknown> = (
  root: unknown,
  // The schema types them, and TypeScript does not read the schema.
  // oxlint-disable-next-line typescript/no-explicit-any
  args: any,
  context: GraphqlContext<User>,
  info: GraphQLResolveInfo,
) => unknown

/** A resolver class: fields of the schema name its methods as `<ResolverClass>@<method>`. */
export type ResolverClass<User = unknown> = Readonly<Record<string, FieldResolver<User>>>

/** An input as a repository takes it, and what else its write does. */
export interface InputValues extends WriteOptions {
  readonly values: Input
}

/** The option of `createGraphql` where there are many-to-many relations. */
export interface GraphqlPivots {
  setEdgeTypes(schema: GraphQLSchema): void
}

/** Reads an input; handed to `createGraphql` where inputs hold more than columns. */
export type ReadInput = (input: Input, info: GraphQLResolveInfo) => InputValues

import { getNullableType, GraphQLObjectType, GraphQLSchema } from 'graphql'

/**
 * The schema by which several mutations of one request are answered, each of which may be null: as
 * `createPost: Post!` says, one that fails would take the answers of the others with it, whose
 * records are there. Clients are shown the schema as it is.
 */
export function apart(schema: GraphQLSchema): GraphQLSchema {
  const mutation = schema.getMutationType()
  if (mutation === null || mutation === undefined) return schema
  const { fields, ...type } = mutation.toConfig()
  const nullable = Object.entries(fields).map(
    ([name, field]) =>
      [name, Object.assign({}, field, { type: getNullableType(field.type) })] as const,
  )
  const { types, ...config } = schema.toConfig()
  return new GraphQLSchema({
    ...config,
    types: types.filter((each) => each !== mutation),
    mutation: new GraphQLObjectType({ ...type, fields: Object.fromEntries(nullable) }),
    assumeValid: true,
  })
}

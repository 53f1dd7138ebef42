export const graphqlReserved = {
  keys: ['graphql'],
  types: ['ID', 'JSON', 'Mutation', 'Query', 'Subscription'],
} as const

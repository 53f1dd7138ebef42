import DataLoader from 'dataloader'
import { buildSchema, execute, parse, validate } from 'graphql'

const schema = buildSchema(`
  type Query { postList(first: Int = 15, page: Int = 1): [Post!]! }
  type Post { id: ID! title: String owner: User }
  type User { id: ID! name: String }
`)

schema.getQueryType().getFields().postList.resolve = (_root, { first, page }, { store, user }) => {
  const size = Math.min(first, 100)
  return store.page(user, size, (page - 1) * size)
}

schema.getType('Post').getFields().owner.resolve = (post, _args, { owners }) =>
  owners.load(post.owner_id)

const documents = new Map()

/** Each text is parsed and validated once. */
function documentOf(text) {
  const known = documents.get(text)
  if (known !== undefined) return known
  const document = parse(text, { maxTokens: 2000 })
  const [error] = validate(schema, document)
  if (error !== undefined) throw error
  if (documents.size < 500) documents.set(text, document)
  return document
}

const ownersOf = (store) =>
  new DataLoader(async (ids) => {
    const byId = new Map((await store.usersByIds(ids)).map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id) ?? null)
  })

export const answerQuery = (store, user, { query, variables, operationName }) =>
  execute({
    schema,
    document: documentOf(query),
    contextValue: { store, user, owners: ownersOf(store) },
    variableValues: variables,
    operationName,
  })

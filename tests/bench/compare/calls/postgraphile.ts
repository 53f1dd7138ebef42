import { newPost, pageNumber, visiblePost, type Calls, type PostRow } from '../work.js'
import { fromNested, fromRow, post, withoutId } from './shapes.js'

/** Everything is GraphQL, and asks for the columns that the others answer. */
const postFields = 'rowId title description publishedAt ownerId createdAt updatedAt'

interface GraphQLPost {
  readonly rowId: number
  readonly title: string
  readonly description: string | null
  readonly publishedAt: string | null
  readonly ownerId: number
}

const fromGraphQL = (row: GraphQLPost): PostRow =>
  fromRow({ ...row, id: row.rowId, published_at: row.publishedAt, owner_id: row.ownerId })

const ask = (text: string, variables?: object) => post('/graphql', { query: text, variables })

interface GraphQLUser {
  readonly rowId: number
  readonly name: string
  readonly postsByOwnerId: {
    readonly nodes: readonly {
      readonly rowId: number
      readonly title: string
      readonly commentsByPostId: {
        readonly nodes: readonly { readonly rowId: number; readonly body: string }[]
      }
    }[]
  }
}

export const postgraphileCalls: Calls = {
  show: {
    request: (n) =>
      ask(`query ($id: Int!) { postByRowId(rowId: $id) { ${postFields} } }`, {
        id: visiblePost(n),
      }),
    rows: ({ data }) => fromGraphQL(data.postByRowId),
  },
  index: {
    request: (n) =>
      ask(
        `query ($offset: Int!) { allPosts(first: 15, offset: $offset, orderBy: PRIMARY_KEY_DESC) {
          totalCount nodes { ${postFields} } } }`,
        { offset: (pageNumber(n) - 1) * 15 },
      ),
    rows: ({ data }) => ({
      total: data.allPosts.totalCount,
      rows: data.allPosts.nodes.map(fromGraphQL),
    }),
  },
  include: {
    request: () =>
      ask(`{ allUsers(first: 15, orderBy: PRIMARY_KEY_DESC) { totalCount nodes {
        rowId name email isAdmin createdAt updatedAt
        postsByOwnerId(first: 15, orderBy: PRIMARY_KEY_DESC) { nodes { ${postFields}
          commentsByPostId(first: 100, orderBy: PRIMARY_KEY_DESC) { nodes {
            rowId body postId userId createdAt updatedAt } } } } } } }`),
    rows: ({ data }) =>
      fromNested(
        data.allUsers.nodes.map((user: GraphQLUser) => ({
          id: user.rowId,
          name: user.name,
          posts: user.postsByOwnerId.nodes.map((each) => ({
            id: each.rowId,
            title: each.title,
            comments: each.commentsByPostId.nodes.map(({ rowId, body }) => ({ id: rowId, body })),
          })),
        })),
      ),
  },
  store: {
    request: () =>
      ask(
        `mutation ($post: PostInput!) { createPost(input: { post: $post }) { post { ${postFields} } } }`,
        {
          post: {
            title: newPost.title,
            description: newPost.description,
            publishedAt: newPost.published_at,
            ownerId: 1,
            updatedAt: '2026-01-02T03:04:05.000Z',
          },
        },
      ),
    rows: ({ data }) => withoutId(fromGraphQL(data.createPost.post)),
  },
  graphql: {
    request: () =>
      ask(
        '{ allPosts(first: 15, orderBy: PRIMARY_KEY_DESC) { nodes { rowId title userByOwnerId { name } } } }',
      ),
    rows: ({ data }) =>
      data.allPosts.nodes.map(
        (row: { rowId: number; title: string; userByOwnerId: { name: string } }) => ({
          id: String(row.rowId),
          title: row.title,
          owner: row.userByOwnerId.name,
        }),
      ),
  },
}

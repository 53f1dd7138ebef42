import { newPost, pageNumber, time, visiblePost, type Calls, type PostRow } from '../work.js'
import { get, graphql, post, withoutId } from './shapes.js'

interface PostResource {
  readonly id: string
  readonly attributes: Omit<PostRow, 'id'>
}

const fromResource = ({ id, attributes }: PostResource): PostRow => ({
  id,
  title: attributes.title,
  description: attributes.description,
  published_at: time(attributes.published_at),
  owner_id: attributes.owner_id,
})

interface Included {
  readonly id: string
  readonly attributes: { readonly name: string }
  readonly relationships: {
    readonly posts: readonly {
      readonly id: string
      readonly attributes: { readonly title: string }
      readonly relationships: {
        readonly comments: readonly {
          readonly id: string
          readonly attributes: { readonly body: string }
        }[]
      }
    }[]
  }
}

/** The emitted server, and those written by hand to answer like it. */
export const resourceCalls: Calls = {
  show: {
    request: (n) => get(`/api/svc/posts/${visiblePost(n)}`),
    rows: ({ data }) => fromResource(data),
  },
  index: {
    request: (n) => get(`/api/svc/posts?page=${pageNumber(n)}`),
    rows: ({ meta, data }) => ({ total: meta.total, rows: data.map(fromResource) }),
  },
  include: {
    request: () => get('/api/svc/users?include=posts.comments'),
    rows: ({ data }) =>
      data.map((user: Included) => ({
        id: user.id,
        name: user.attributes.name,
        posts: user.relationships.posts.map((row) => ({
          id: row.id,
          title: row.attributes.title,
          comments: row.relationships.comments.map(({ id, attributes }) => ({
            id,
            body: attributes.body,
          })),
        })),
      })),
  },
  store: {
    request: () => post('/api/svc/posts', newPost),
    rows: ({ data }) => withoutId(fromResource(data)),
  },
  graphql,
}

import { newPost, pageNumber, visiblePost, type Calls, type PostRow } from '../work.js'
import { fromNested, fromRow, get, graphql, post, withoutId, type TableRow } from './shapes.js'

export const nestCalls: Calls = {
  show: { request: (n) => get(`/posts/${visiblePost(n)}`), rows: fromRow },
  index: {
    request: (n) => get(`/posts?page=${pageNumber(n)}`),
    rows: ({ total, data }) => ({ total, rows: data.map(fromRow) }),
  },
  include: { request: () => get('/users?page=1'), rows: ({ data }) => fromNested(data) },
  store: { request: () => post('/posts', newPost), rows: (row) => withoutId(fromRow(row)) },
  graphql,
}

export const feathersCalls: Calls = {
  show: { request: (n) => get(`/posts/${visiblePost(n)}`), rows: fromRow },
  index: {
    request: (n) => get(`/posts?$limit=15&$skip=${(pageNumber(n) - 1) * 15}`),
    rows: ({ total, data }) => ({ total, rows: data.map(fromRow) }),
  },
  store: { request: () => post('/posts', newPost), rows: (row) => withoutId(fromRow(row)) },
}

/** JSON:API; its handler does not bound what is included, so that goes through the other one, with Prisma's words. */
const includeOfUsers = {
  orderBy: { id: 'desc' },
  take: 15,
  include: {
    posts: {
      orderBy: { id: 'desc' },
      take: 15,
      include: { comments: { orderBy: { id: 'desc' }, take: 100 } },
    },
  },
}

interface JsonApiPost {
  readonly id: number | string
  readonly attributes: Omit<TableRow, 'id'>
}

const fromJsonApi = ({ id, attributes }: JsonApiPost): PostRow =>
  fromRow({ ...attributes, id: Number(id) })

export const zenstackCalls: Calls = {
  show: {
    request: (n) => get(`/rest/post/${visiblePost(n)}`),
    rows: ({ data }) => fromJsonApi(data),
  },
  index: {
    request: (n) =>
      get(`/rest/post?sort=-id&page[offset]=${(pageNumber(n) - 1) * 15}&page[limit]=15`),
    rows: ({ meta, data }) => ({ total: meta.total, rows: data.map(fromJsonApi) }),
  },
  include: {
    request: () =>
      get(`/rpc/user/findMany?q=${encodeURIComponent(JSON.stringify(includeOfUsers))}`),
    rows: ({ data }) => fromNested(data),
  },
  store: {
    request: () => post('/rest/post', { data: { type: 'post', attributes: newPost } }),
    rows: ({ data }) => withoutId(fromJsonApi(data)),
  },
}

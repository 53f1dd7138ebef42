/** Requests, and rows out of the shapes that more than one contestant answers in. */
import { query, time, type Calls, type PostRow } from '../work.js'

export const get = (path: string) => ({ method: 'GET', path }) as const
export const post = (path: string, body: unknown) =>
  ({ method: 'POST', path, body: JSON.stringify(body) }) as const

/** The row that was made has an id of its own. */
export const withoutId = ({ id: _id, ...row }: PostRow): Omit<PostRow, 'id'> => row

export const graphql: Required<Calls>['graphql'] = {
  request: () => post('/graphql', { query }),
  rows: ({ data }) =>
    data.postList.map((row: { id: string; title: string; owner: { name: string } }) => ({
      id: row.id,
      title: row.title,
      owner: row.owner.name,
    })),
}

/** A row of a table, as JSON of the driver or of Prisma. */
export interface TableRow {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly published_at: string | null
  readonly owner_id: number
}

export const fromRow = (row: TableRow): PostRow => ({
  id: String(row.id),
  title: row.title,
  description: row.description,
  published_at: time(row.published_at),
  owner_id: String(row.owner_id),
})

export interface NestedUser {
  readonly id: number
  readonly name: string
  readonly posts: readonly {
    readonly id: number
    readonly title: string
    readonly comments: readonly { readonly id: number; readonly body: string }[]
  }[]
}

export const fromNested = (users: readonly NestedUser[]) =>
  users.map((user) => ({
    id: String(user.id),
    name: user.name,
    posts: user.posts.map(({ id, title, comments }) => ({
      id: String(id),
      title,
      comments: comments.map((each) => ({ id: String(each.id), body: each.body })),
    })),
  }))

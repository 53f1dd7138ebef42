/** Requests to every contestant, and the rows that all must answer. */

/** Writes come last: the others read the rows that were there. */
export const workItems = ['show', 'index', 'include', 'graphql', 'store'] as const
export type WorkItem = (typeof workItems)[number]

/** An answer of 600 KB takes some contestants a third of a second. */
export const connectionsFor = (item: WorkItem): number => (item === 'include' ? 4 : 16)

export const size = { users: 1_000, posts: 20_000, pages: 200 } as const
export const token = `1|${'benchtoken'.repeat(4)}`

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

export interface PostRow {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly published_at: string | null
  readonly owner_id: string
}

export interface Rows {
  readonly show: PostRow
  readonly index: { readonly total: number; readonly rows: readonly PostRow[] }
  readonly include: readonly {
    readonly id: string
    readonly name: string
    readonly posts: readonly {
      readonly id: string
      readonly title: string
      readonly comments: readonly { readonly id: string; readonly body: string }[]
    }[]
  }[]
  /** The row that was made has an id of its own. */
  readonly store: Omit<PostRow, 'id'>
  readonly graphql: readonly {
    readonly id: string
    readonly title: string
    readonly owner: string
  }[]
}

/** How one contestant is asked for one work item, and where the rows are in its answer. */
export interface Call<Item extends WorkItem = WorkItem> {
  /** The n-th of an endless list; all contestants are asked for the same rows. */
  request(n: number): HttpRequest
  // oxlint-disable-next-line typescript/no-explicit-any -- the contestant's own shape; what is read from it is compared
  rows(body: any): Rows[Item]
}

export type Calls = { readonly [Item in WorkItem]?: Call<Item> }

/** Ids of posts that user 1 may see, in no order a cache would like. */
export const visiblePost = (n: number): number => {
  const id = 1 + ((n * 7_919) % size.posts)
  return id % 7 === 0 ? id + 1 : id
}

export const pageNumber = (n: number): number => 1 + ((n * 31) % size.pages)

export const newPost = {
  title: 'A post of the bench',
  description: 'Some words',
  published_at: '2026-01-02T03:04:05.000Z',
} as const

export const query = '{ postList(first: 15) { id title owner { name } } }'

export const headers = {
  authorization: `Bearer ${token}`,
  accept: 'application/json',
  'content-type': 'application/json',
} as const

/** Points in time are written alike before they are compared; SQLite's rows have them as text. */
export const time = (value: string | null): string | null =>
  value === null ? null : new Date(value).toISOString()

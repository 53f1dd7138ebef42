/** The answers of the emitted server, as plain objects. Points in time are Dates, or text as SQLite keeps them. */
const time = (value) =>
  value === null ? null : typeof value === 'string' ? `${value.slice(0, 23)}Z` : value.toISOString()

const stamps = (row) => ({ created_at: time(row.created_at), updated_at: time(row.updated_at) })

const rights = (isOwn) => ({
  authorizedToShow: true,
  authorizedToStore: true,
  authorizedToUpdate: isOwn,
  authorizedToDelete: isOwn,
})

const postAttributes = (row) => ({
  title: row.title,
  description: row.description,
  published_at: time(row.published_at),
  owner_id: String(row.owner_id),
  ...stamps(row),
})

export const postResource = (row, user) => ({
  id: String(row.id),
  type: 'posts',
  attributes: postAttributes(row),
  meta: rights(row.owner_id === user),
})

const commentResource = (row) => ({
  id: String(row.id),
  type: 'comments',
  attributes: {
    body: row.body,
    post_id: String(row.post_id),
    user_id: String(row.user_id),
    ...stamps(row),
  },
})

/** A user with `posts`, each with `comments`. */
export const userResource = (row, user) => ({
  id: String(row.id),
  type: 'users',
  attributes: {
    name: row.name,
    email: row.email,
    is_admin: Boolean(row.is_admin),
    ...stamps(row),
  },
  relationships: {
    posts: row.posts.map((post) => ({
      id: String(post.id),
      type: 'posts',
      attributes: postAttributes(post),
      relationships: { comments: post.comments.map(commentResource) },
    })),
  },
  meta: rights(row.id === user),
})

export function pageOf({ path, query = '', page, total, data }) {
  const last = Math.max(1, Math.ceil(total / 15))
  const link = (number) => `${path}?page=${number}${query}`
  const from = (page - 1) * 15 + 1
  return {
    meta: {
      current_page: page,
      from: data.length > 0 ? from : null,
      last_page: last,
      path,
      per_page: 15,
      to: data.length > 0 ? from + data.length - 1 : null,
      total,
    },
    links: {
      first: link(1),
      last: link(last),
      next: page < last ? link(page + 1) : null,
      path,
      prev: page > 1 ? link(page - 1) : null,
    },
    data,
  }
}

/** Gives each parent its children, under that name. */
export function withChildren(parents, name, children, key) {
  const groups = new Map(parents.map((parent) => [parent.id, []]))
  for (const child of children) groups.get(child[key])?.push(child)
  return parents.map((parent) => ({ ...parent, [name]: groups.get(parent.id) }))
}

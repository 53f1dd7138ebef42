import {
  defineManifest,
  belongsTo,
  boolean,
  dateTime,
  email,
  integer,
  password,
  repository,
  text,
  textarea,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: [],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    posts: repository({
      bulk: true,
      fields: {
        title: text().max(160),
        description: textarea().nullable(),
        qty: integer().default(1),
        published_at: dateTime().nullable(),
      },
      related: { owner: belongsTo('users', { filledBy: 'user' }) },
    }),
  },
})

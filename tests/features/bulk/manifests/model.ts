import {
  belongsTo,
  boolean,
  defineManifest,
  email,
  integer,
  password,
  repository,
  text,
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
    parts: repository({
      bulk: true,
      versioned: true,
      fields: { code: text().max(9).unique(), qty: integer().default(1) },
      related: { owner: belongsTo('users', { filledBy: 'user' }) },
    }),
  },
})

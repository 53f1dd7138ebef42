import {
  defineManifest,
  belongsTo,
  boolean,
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
      upsertBy: ['code'],
      fields: {
        code: text().max(9).unique(),
        title: text(),
        qty: integer().default(1),
        is_open: boolean().default(false),
      },
      related: { owner: belongsTo('users', { filledBy: 'user' }) },
    }),
  },
})

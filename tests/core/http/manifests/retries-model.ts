import {
  defineManifest,
  belongsTo,
  boolean,
  email,
  hasMany,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: [],
  idempotency: true,
  dryRun: true,
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    shelves: repository({ fields: { name: text(), books: hasMany() } }),
    books: repository({ fields: { title: text() }, related: { shelf: belongsTo() } }),
  },
})

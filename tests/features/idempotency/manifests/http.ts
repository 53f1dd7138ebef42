import {
  belongsTo,
  belongsToMany,
  boolean,
  defineManifest,
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
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    orders: repository({
      versioned: true,
      softDeletes: true,
      hooks: true,
      fields: {
        title: text().max(80),
        code: text().nullable().unique(),
        secret: text().hidden().nullable(),
      },
      related: { lines: hasMany(), tags: belongsToMany() },
    }),
    lines: repository({ fields: { title: text() }, related: { order: belongsTo() } }),
    tags: repository({ fields: { name: text() } }),
  },
})

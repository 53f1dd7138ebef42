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
  dryRun: true,
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
      bulk: true,
      versioned: true,
      hooks: true,
      fields: {
        title: text().max(80),
        note: text().nullable(),
        code: text().nullable().unique(),
        files: hasMany(),
        lines: hasMany(),
      },
      related: {
        tags: belongsToMany(),
        above: belongsTo('orders', { onDelete: 'cascade' }).nullable(),
      },
    }),
    lines: repository({
      hooks: 'inside',
      fields: { title: text() },
      related: { order: belongsTo({ onDelete: 'cascade' }) },
    }),
    files: repository({
      bulk: true,
      softDeletes: true,
      fields: { title: text(), notes: hasMany() },
      related: { order: belongsTo({ onDelete: 'cascade' }) },
    }),
    notes: repository({
      fields: { title: text() },
      related: { file: belongsTo({ onDelete: 'cascade' }) },
    }),
    tags: repository({ fields: { name: text().default('x') } }),
  },
})

import {
  defineManifest,
  belongsTo,
  belongsToMany,
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
    boards: repository({
      title: 'name',
      bulk: true,
      upsertBy: ['name'],
      softDeletes: true,
      hooks: true,
      export: true,
      fields: { name: text().unique() },
      related: { cards: hasMany({ writable: true }), labels: belongsToMany({ writable: true }) },
    }),
    cards: repository({
      bulk: true,
      hooks: 'inside',
      fields: { title: text() },
      related: { board: belongsTo() },
    }),
    labels: repository({
      upsertBy: ['name'],
      fields: { name: text().unique() },
      related: { boards: belongsToMany() },
    }),
  },
})

import {
  defineManifest,
  belongsTo,
  boolean,
  dateTime,
  email,
  hasMany,
  integer,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: [],
  dryRun: true,
  repositories: {
    users: repository({
      hooks: true,
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    rooms: repository({ fields: { name: text(), events: hasMany() } }),
    events: repository({
      hooks: true,
      bulk: true,
      upsertBy: ['code'],
      fields: {
        code: text().max(9).unique().nullable(),
        title: text().max(20),
        seats: integer().default(10),
        starts_at: dateTime().nullable(),
        ends_at: dateTime().nullable(),
      },
      related: { room: belongsTo().nullable() },
    }),
  },
})

import {
  defineManifest,
  belongsTo,
  boolean,
  email,
  hasMany,
  hasOne,
  integer,
  morphMany,
  morphTo,
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
    teams: repository({ fields: { name: text() }, related: { orders: hasMany() } }),
    orders: repository({
      bulk: true,
      versioned: true,
      fields: { code: text().max(9).unique(), qty: integer().default(1) },
      related: {
        owner: belongsTo('users', { filledBy: 'user' }),
        team: belongsTo().nullable(),
        lines: hasMany({ writable: true }),
        seal: hasOne({ writable: true }),
        notes: morphMany({ name: 'noted', writable: true }),
      },
    }),
    lines: repository({
      softDeletes: true,
      fields: { code: text().max(9).nullable().unique(), qty: integer().default(1) },
      related: { order: belongsTo() },
    }),
    seals: repository({
      id: 'uuid',
      fields: { code: text().max(9) },
      related: { order: belongsTo() },
    }),
    notes: repository({ fields: { code: text().max(9) }, related: { noted: morphTo() } }),
  },
})

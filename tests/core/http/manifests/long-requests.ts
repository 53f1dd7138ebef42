import {
  defineManifest,
  belongsTo,
  boolean,
  email,
  hasMany,
  json,
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
        password: password().nullable(),
        is_admin: boolean().default(false),
      },
    }),
    orders: repository({
      bulk: true,
      upsertBy: ['code'],
      export: true,
      reads: ['trees'],
      match: { title: 'text' },
      sort: ['id'],
      fields: {
        title: text(),
        code: text().nullable().unique(),
        facts: json().nullable(),
        c0: text().nullable(),
        c1: text().nullable(),
        c2: text().nullable(),
        c3: text().nullable(),
        c4: text().nullable(),
        c5: text().nullable(),
        c6: text().nullable(),
        c7: text().nullable(),
        c8: text().nullable(),
        c9: text().nullable(),
      },
      related: { lines: hasMany({ writable: true }) },
    }),
    lines: repository({ fields: { name: text() }, related: { order: belongsTo('orders') } }),
  },
})

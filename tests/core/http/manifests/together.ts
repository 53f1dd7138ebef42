import {
  defineManifest,
  belongsTo,
  boolean,
  email,
  hasMany,
  integer,
  password,
  repository,
  select,
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
    companies: repository({
      fields: { name: text(), code: text().unique(), products: hasMany() },
    }),
    products: repository({
      unique: [
        ['company_id', 'sku'],
        ['batch', 'serial'],
      ],
      indexes: [['status', 'created_at'], ['company_id'], ['sku']],
      fields: {
        sku: text().max(40).folded(),
        batch: text().nullable(),
        serial: integer().nullable(),
        status: select(['live', 'gone']).default('live'),
        code: text().nullable().unique(),
      },
      related: { company: belongsTo() },
    }),
    seals: repository({
      unique: [['vault', 'stamp']],
      fields: {
        note: text(),
        vault: text().hidden().default('main'),
        stamp: text().hidden().default('s'),
      },
    }),
  },
})

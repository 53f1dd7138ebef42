import {
  belongsTo,
  boolean,
  date,
  dateTime,
  decimal,
  defineManifest,
  email,
  hasMany,
  integer,
  json,
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
      bulk: true,
      fields: {
        name: text(),
        email: email().unique(),
        password: password().nullable(),
        is_admin: boolean().default(false),
      },
    }),
    posts: repository({
      bulk: true,
      hooks: true,
      unique: [['category_id', 'place']],
      fields: {
        title: text().max(40),
        slug: text().max(40).unique(),
        price: decimal(8, 2).nullable(),
        qty: integer().default(1),
        is_live: boolean().default(false),
        day: date().nullable(),
        at: dateTime().nullable(),
        data: json().nullable(),
        status: select(['new', 'old']).default('new'),
        place: integer().nullable(),
        kept: text().readonly().nullable(),
      },
      related: {
        category: belongsTo().nullable(),
        owner: belongsTo('users', { filledBy: 'user' }),
      },
    }),
    categories: repository({
      bulk: { max: 3 },
      fields: { name: text().max(40) },
      related: { posts: hasMany(), parent: belongsTo('categories').nullable() },
    }),
    codes: repository({
      id: 'uuid',
      bulk: true,
      versioned: true,
      fields: { code: text().max(40).unique() },
    }),
    locks: repository({
      bulk: true,
      versioned: { column: 'lock_version', required: true },
      fields: { version: text(), lock_version: integer().default(1) },
    }),
    folders: repository({
      bulk: true,
      softDeletes: { cascade: ['files'] },
      fields: { name: text().unique() },
      related: { files: hasMany() },
    }),
    files: repository({
      softDeletes: true,
      fields: { path: text() },
      related: { folder: belongsTo().nullable() },
    }),
    notes: repository({ fields: { name: text() } }),
    safes: repository({ bulk: true, hooks: true, fields: { name: text(), code: password() } }),
  },
})

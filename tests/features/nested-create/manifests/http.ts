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
    posts: repository({
      bulk: true,
      hooks: 'inside',
      versioned: true,
      fields: { title: text().max(40), slug: text().max(40).unique(), qty: integer().default(1) },
      related: {
        owner: belongsTo('users', { filledBy: 'user' }),
        comments: hasMany({ writable: true }),
        remarks: hasMany(),
        detail: hasOne({ writable: true }),
        images: morphMany({ name: 'imageable', writable: true }),
        secrets: hasMany({ writable: true }),
      },
    }),
    comments: repository({
      hooks: 'inside',
      versioned: true,
      softDeletes: true,
      fields: {
        body: text().max(20),
        code: text().max(9).nullable().unique(),
        place: integer().default(0),
      },
      related: {
        post: belongsTo(),
        author: belongsTo('users', { filledBy: 'user' }),
        category: belongsTo().nullable(),
        likes: hasMany({ writable: true }),
      },
    }),
    likes: repository({ fields: { stars: integer() }, related: { comment: belongsTo() } }),
    remarks: repository({ fields: { body: text() }, related: { post: belongsTo() } }),
    details: repository({
      id: { kind: 'text', given: 'must', max: 9 },
      fields: { text: text().max(20) },
      related: { post: belongsTo() },
    }),
    images: repository({
      id: 'uuid',
      fields: { url: text().max(20) },
      related: { imageable: morphTo() },
    }),
    secrets: repository({ fields: { word: text() }, related: { post: belongsTo() } }),
    categories: repository({
      bulk: true,
      fields: { name: text().max(40) },
      related: {
        parent: belongsTo('categories').nullable(),
        children: hasMany('categories', { inverse: 'parent', writable: true }),
      },
    }),
    countries: repository({
      id: { kind: 'text', given: 'must', max: 2 },
      fields: { name: text() },
      related: { towns: hasMany({ writable: true }) },
    }),
    towns: repository({
      fields: { name: text().unique() },
      related: { country: belongsTo('countries') },
    }),
  },
})

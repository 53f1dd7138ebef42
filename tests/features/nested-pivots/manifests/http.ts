import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  email,
  hasMany,
  integer,
  morphToMany,
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
    articles: repository({
      bulk: true,
      versioned: true,
      hooks: true,
      upsertBy: ['slug'],
      fields: { title: text().max(40), slug: text().max(40).unique() },
      related: {
        owner: belongsTo('users', { filledBy: 'user' }),
        tags: belongsToMany({ writable: true, pivot: { position: integer().min(0).default(0) } }),
        readers: belongsToMany('users', {
          writable: true,
          pivot: { role: text().max(9).default('reader') },
        }),
        secrets: belongsToMany('secrets', { writable: true }),
        labels: morphToMany('labels', { name: 'labelled', writable: true }),
        comments: hasMany({ writable: true }),
      },
    }),
    comments: repository({ fields: { body: text() }, related: { article: belongsTo() } }),
    tags: repository({
      hooks: true,
      upsertBy: ['name'],
      fields: {
        name: text().max(9).unique(),
        color: text().max(9).nullable(),
        is_hidden: boolean().default(false),
      },
    }),
    secrets: repository({ fields: { word: text() } }),
    labels: repository({ id: 'uuid', fields: { word: text().unique() }, upsertBy: ['word'] }),
  },
})

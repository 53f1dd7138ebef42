import {
  belongsTo,
  belongsToMany,
  boolean,
  decimal,
  defineManifest,
  email,
  hasMany,
  morphMany,
  morphTo,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: ['operators', 'cursors'],
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
      softDeletes: true,
      fields: {
        title: text().max(50_000),
        cursor: text().nullable(),
        secret: text().nullable(),
        price: decimal(10, 2).nullable(),
        is_hidden: boolean().default(false),
      },
      match: { cursor: 'text', title: 'partial', secret: 'text' },
      sort: ['id', 'title', 'price', 'secret', 'created_at'],
      searchable: ['title'],
      related: { comments: hasMany(), tags: belongsToMany(), notes: morphMany() },
    }),
    comments: repository({
      public: true,
      sort: ['body'],
      match: { body: 'text' },
      fields: { body: text() },
      related: { post: belongsTo() },
    }),
    tags: repository({
      sort: ['name'],
      fields: { name: text() },
      related: { posts: belongsToMany() },
    }),
    notes: repository({
      sort: ['body'],
      fields: { body: text() },
      related: { noteable: morphTo() },
    }),
    drafts: repository({ reads: [], fields: { name: text() } }),
  },
})

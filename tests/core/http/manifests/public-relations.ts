import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
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
    articles: repository({
      public: true,
      fields: { title: text() },
      related: {
        comments: hasMany(),
        notes: hasMany(),
        tags: belongsToMany(),
        images: morphMany(),
      },
    }),
    comments: repository({
      public: true,
      fields: { text: text() },
      related: { article: belongsTo() },
    }),
    notes: repository({
      fields: { text: text() },
      related: { article: belongsTo(), images: morphMany() },
    }),
    tags: repository({ public: true, fields: { name: text() } }),
    images: repository({
      public: true,
      fields: { path: text() },
      related: { imageable: morphTo() },
    }),
  },
})

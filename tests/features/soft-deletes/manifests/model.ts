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
      sort: ['id'],
      fields: { slug: text().max(9).unique() },
      related: { comments: hasMany(), tags: belongsToMany() },
    }),
    comments: repository({
      softDeletes: true,
      sort: ['id'],
      fields: { body: text() },
      related: { post: belongsTo() },
    }),
    tags: repository({
      softDeletes: true,
      sort: ['id'],
      fields: { name: text() },
      related: { posts: belongsToMany() },
    }),
  },
})

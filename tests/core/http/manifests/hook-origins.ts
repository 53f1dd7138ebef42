import {
  defineManifest,
  belongsTo,
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
      hooks: 'inside',
      bulk: true,
      upsertBy: ['title'],
      fields: { title: text().max(40).unique() },
      related: { comments: hasMany({ writable: true }) },
    }),
    comments: repository({
      hooks: 'inside',
      fields: { body: text() },
      related: { post: belongsTo() },
    }),
  },
})

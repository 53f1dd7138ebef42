import {
  belongsTo,
  boolean,
  defineManifest,
  email,
  morphToMany,
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
      fields: { name: text() },
      related: {
        author: belongsTo('users', { onDelete: 'cascade' }),
        tags: morphToMany({ name: 'taggable' }),
      },
    }),
    boxes: repository({
      id: 'uuid',
      fields: { name: text() },
      related: {
        tags: morphToMany({ name: 'taggable' }),
        labels: morphToMany('tags', { name: 'labelled' }),
      },
    }),
    tags: repository({ fields: { name: text() } }),
  },
})

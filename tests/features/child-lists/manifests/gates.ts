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
    boxes: repository({ fields: { name: text(), things: hasMany() } }),
    things: repository({
      fields: { name: text() },
      related: { box: belongsTo('boxes').nullable(), user: belongsTo('users') },
    }),
  },
})

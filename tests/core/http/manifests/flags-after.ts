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
    lists: repository({
      fields: { name: text() },
      related: { owner: belongsTo('users'), items: hasMany() },
    }),
    items: repository({ fields: { name: text() }, related: { list: belongsTo() } }),
  },
})

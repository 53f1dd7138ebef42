import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  email,
  hasMany,
  integer,
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
    rooms: repository({
      sort: ['beds'],
      fields: { name: text(), beds: integer(), secret: integer().hidden().default(1) },
      related: {
        children: hasMany('rooms'),
        parent: belongsTo('rooms').nullable(),
        users: belongsToMany({ pivot: { level: integer().nullable() } }),
      },
    }),
  },
})

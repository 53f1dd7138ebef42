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
      versioned: true,
      fields: { title: text().unique(), comments: hasMany(), note: text().nullable() },
      related: { tags: belongsToMany() },
    }),
    comments: repository({
      versioned: 'required',
      fields: { body: text() },
      related: { post: belongsTo().nullable() },
    }),
    parts: repository({
      versioned: { column: 'lock_version' },
      hooks: true,
      id: 'uuid',
      fields: { lock_version: integer().default(0), version: text() },
    }),
    tags: repository({ fields: { name: text() } }),
  },
})

import {
  belongsTo,
  boolean,
  defineManifest,
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
    folders: repository({
      bulk: true,
      softDeletes: { cascade: ['files'] },
      fields: { name: text() },
      related: { files: hasMany() },
    }),
    files: repository({
      bulk: true,
      softDeletes: true,
      fields: { name: text() },
      related: { folder: belongsTo() },
    }),
  },
})

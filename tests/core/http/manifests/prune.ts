import {
  defineManifest,
  belongsTo,
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
      softDeletes: { cascade: ['files', 'notes'], keepDays: 30 },
      fields: { name: text() },
      related: { files: hasMany(), notes: morphMany({ name: 'noteable' }), links: hasMany() },
    }),
    files: repository({
      softDeletes: { column: 'removed_at', cascade: ['pages'] },
      fields: { name: text() },
      related: { folder: belongsTo(), pages: hasMany() },
    }),
    pages: repository({
      softDeletes: { keepDays: 7 },
      fields: { name: text() },
      related: { file: belongsTo() },
    }),
    notes: repository({
      softDeletes: true,
      fields: { name: text() },
      related: { noteable: morphTo() },
    }),
    links: repository({ fields: { name: text() }, related: { folder: belongsTo() } }),
  },
})

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
      hooks: 'inside',
      softDeletes: { cascade: ['files', 'notes'] },
      fields: { name: text() },
      related: { files: hasMany(), notes: morphMany() },
    }),
    files: repository({
      hooks: 'inside',
      softDeletes: { column: 'removed_at', cascade: ['pages'] },
      fields: { name: text().max(20).unique() },
      related: { folder: belongsTo(), shelf: belongsTo('shelves').nullable(), pages: hasMany() },
    }),
    shelves: repository({
      id: 'uuid',
      softDeletes: { cascade: ['files'] },
      fields: { name: text() },
      related: { files: hasMany() },
    }),
    boxes: repository({
      id: 'uuid',
      softDeletes: { cascade: ['notes'] },
      fields: { name: text() },
      related: { notes: morphMany() },
    }),
    pages: repository({
      hooks: 'inside',
      softDeletes: true,
      fields: { name: text() },
      related: { file: belongsTo() },
    }),
    notes: repository({
      hooks: true,
      softDeletes: true,
      fields: { name: text() },
      related: { noteable: morphTo() },
    }),
  },
})

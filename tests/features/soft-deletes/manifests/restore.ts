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
    albums: repository({
      softDeletes: { cascade: ['photos'] },
      fields: { name: text() },
      related: { photos: hasMany(), owner: belongsTo('users', { filledBy: 'user' }) },
    }),
    photos: repository({
      softDeletes: true,
      fields: { name: text() },
      related: { album: belongsTo(), owner: belongsTo('users', { filledBy: 'user' }) },
    }),
  },
})

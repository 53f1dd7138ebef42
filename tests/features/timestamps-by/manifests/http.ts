import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  email,
  hasMany,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  timestampsBy: ['albums', 'songs', 'users'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
      related: { last: hasMany('songs', { inverse: 'updated_by' }) },
    }),
    albums: repository({
      hooks: true,
      match: { created_by_id: 'array', title: 'text' },
      sort: ['updated_by_id', 'id'],
      fields: { title: text(), songs: hasMany() },
      related: { labels: belongsToMany() },
    }),
    songs: repository({
      fields: { name: text() },
      related: {
        album: belongsTo().nullable(),
        created_by: belongsTo('users').nullable().readonly(),
      },
    }),
    labels: repository({ fields: { name: text() } }),
  },
})

import {
  belongsTo,
  belongsToMany,
  boolean,
  computed,
  defineManifest,
  email,
  hasMany,
  integer,
  morphMany,
  morphTo,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: ['sparse', 'includeArguments', 'operators'],
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
      hooks: true,
      sort: ['id'],
      fields: { title: text() },
      related: {
        owner: belongsTo('users', { filledBy: 'user' }),
        comments: hasMany(),
        tags: belongsToMany(),
        notes: morphMany(),
        words: computed(),
      },
    }),
    comments: repository({
      softDeletes: true,
      searchable: ['body'],
      match: { body: 'partial', stars: 'integer', hint: 'text' },
      sort: ['id', 'stars', 'hint'],
      fields: { body: text(), stars: integer(), hint: text().nullable() },
      related: { post: belongsTo(), likes: hasMany(), notes: morphMany() },
    }),
    likes: repository({
      sort: ['id'],
      fields: { at: integer() },
      related: { comment: belongsTo(), notes: morphMany() },
    }),
    tags: repository({
      sort: ['id', 'name'],
      match: { name: 'text' },
      fields: { name: text() },
      related: { posts: belongsToMany(), notes: morphMany() },
    }),
    notes: repository({
      fields: { at: integer() },
      related: { noteable: morphTo() },
    }),
  },
})

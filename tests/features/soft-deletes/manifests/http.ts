import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  email,
  hasMany,
  hasOne,
  integer,
  morphMany,
  morphTo,
  morphToMany,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  repositories: {
    users: repository({
      softDeletes: true,
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
      related: { posts: hasMany() },
    }),
    posts: repository({
      softDeletes: true,
      public: true,
      title: 'title',
      searchable: ['title'],
      match: { title: 'text', slug: 'text', owner_id: 'integer' },
      sort: ['id', 'title'],
      unique: [['owner_id', 'place']],
      fields: {
        title: text(),
        slug: text().max(40).unique(),
        place: integer().default(0),
        comments: hasMany(),
      },
      related: {
        owner: belongsTo('users', { filledBy: 'user', searchable: ['name'], sortable: ['name'] }),
        cover: hasOne('covers'),
        tags: belongsToMany({ pivot: { weight: integer().nullable() } }),
        images: morphMany(),
        labels: morphToMany(),
      },
    }),
    comments: repository({
      softDeletes: true,
      hooks: true,
      searchable: ['body'],
      sort: ['id', 'body'],
      fields: { body: text() },
      related: { post: belongsTo({ searchable: ['title'], sortable: ['title'] }).nullable() },
    }),
    covers: repository({
      softDeletes: true,
      fields: { path: text() },
      related: { post: belongsTo() },
    }),
    images: repository({
      softDeletes: true,
      fields: { path: text() },
      related: { imageable: morphTo() },
    }),
    tags: repository({
      softDeletes: { column: 'removed_at' },
      fields: { name: text().max(40).unique() },
      related: { posts: belongsToMany() },
    }),
    labels: repository({ softDeletes: true, fields: { name: text() } }),
  },
})

import {
  belongsTo,
  boolean,
  defineManifest,
  email,
  fullText,
  hasMany,
  integer,
  password,
  repository,
  text,
  textarea,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: ['trees', 'cursors', 'includeArguments', 'filters'],
  repositories: {
    users: repository({
      title: 'name',
      searchable: ['name'],
      fields: {
        name: text(),
        email: email().unique(),
        password: password().nullable(),
        is_admin: boolean().default(false),
      },
    }),
    posts: repository({
      public: true,
      title: 'title',
      globalSearch: true,
      export: true,
      sort: ['title'],
      match: { place: 'integer' },
      aggregate: { groupBy: ['place'] },
      searchable: fullText(['title', 'body', 'note'], { language: 'english' }),
      fields: {
        title: text(),
        body: textarea().nullable(),
        note: text().nullable(),
        place: integer().nullable(),
        rank: text().nullable(),
      },
      related: {
        writer: belongsTo('users', { searchable: ['name'] }).nullable(),
        remarks: hasMany(),
      },
    }),
    remarks: repository({
      id: 'uuid',
      public: true,
      searchable: fullText(['text', 'rank']),
      fields: { text: text(), rank: text().nullable() },
      related: { post: belongsTo() },
    }),
    files: repository({
      public: true,
      searchable: fullText(['title', 'secret', 'diary', 'body']),
      fields: {
        title: text(),
        secret: textarea().nullable(),
        diary: textarea().nullable(),
        body: text(),
      },
    }),
  },
})

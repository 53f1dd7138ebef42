import {
  defineManifest,
  belongsTo,
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
  reads: ['offsets', 'cursors', 'trees', 'includeArguments'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    shelves: repository({ fields: { name: text() }, related: { books: hasMany() } }),
    books: repository({
      export: true,
      fields: { title: text(), is_hidden: boolean().default(false) },
      sort: ['title'],
      match: { title: 'text' },
      related: { shelf: belongsTo() },
    }),
    plains: repository({ reads: [], fields: { offset: integer() }, match: { offset: 'integer' } }),
  },
})

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
    shelves: repository({ fields: { name: text() }, related: { books: hasMany() } }),
    books: repository({
      versioned: true,
      fields: { title: text(), note: text().nullable() },
      related: { shelf: belongsTo() },
    }),
    drafts: repository({
      versioned: 'required',
      fields: { title: text(), note: text().nullable() },
    }),
  },
})

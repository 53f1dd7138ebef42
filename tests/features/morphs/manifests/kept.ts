import {
  belongsTo,
  boolean,
  defineManifest,
  email,
  morphMany,
  morphOne,
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
    shelves: repository({
      fields: { name: text() },
      related: { books: morphMany({ name: 'place' }) },
    }),
    boxes: repository({
      id: 'uuid',
      fields: { name: text() },
      related: {
        user: belongsTo({ onDelete: 'cascade' }),
        books: morphMany({ name: 'place', onDelete: 'cascade' }),
      },
    }),
    bags: repository({
      fields: { name: text() },
      related: { book: morphOne({ name: 'place', onDelete: 'setNull' }) },
    }),
    books: repository({
      fields: { name: text() },
      related: {
        place: morphTo(),
        parts: morphMany('books', { name: 'place', onDelete: 'cascade' }),
      },
    }),
  },
})

import {
  boolean,
  dateTime,
  decimal,
  defineManifest,
  email,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: ['cursors'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    items: repository({
      fields: {
        title: text(),
        status: text(),
        happened_at: dateTime().nullable(),
        price: decimal(10, 2),
      },
      sort: ['id', 'title', 'happened_at', 'created_at', 'price', 'status'],
      match: { status: 'text' },
      indexes: [
        ['title'],
        ['happened_at'],
        ['created_at'],
        ['price', 'title'],
        ['status', 'created_at'],
      ],
    }),
  },
})

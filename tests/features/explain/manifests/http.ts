import {
  defineManifest,
  boolean,
  date,
  dateTime,
  decimal,
  email,
  float,
  integer,
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
    notes: repository({
      id: 'uuid',
      fields: {
        text: text().allowEmpty(),
        price: decimal(10, 2).nullable(),
        ratio: float().nullable(),
        day: date().nullable(),
        rank: integer().nullable(),
        is_open: boolean().nullable(),
        due_at: dateTime().nullable(),
      },
    }),
  },
})

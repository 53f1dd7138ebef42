import {
  defineManifest,
  bigInteger,
  boolean,
  date,
  dateTime,
  decimal,
  email,
  float,
  json,
  password,
  repository,
  text,
  textarea,
  uuid,
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
    rooms: repository({
      fields: {
        name: text(),
        notes: textarea().nullable(),
        area: float().nullable(),
        price: decimal(8, 2).nullable(),
        is_open: boolean().nullable(),
        opened_at: dateTime().nullable(),
        built_on: date().nullable(),
        more: json().nullable(),
        stars: bigInteger().nullable(),
        tag: uuid().nullable(),
      },
    }),
  },
})

import {
  defineManifest,
  belongsTo,
  boolean,
  dateTime,
  email,
  integer,
  password,
  repository,
  select,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  messages: ['it'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    things: repository({
      hooks: true,
      bulk: true,
      unique: [['shelf', 'place']],
      fields: {
        code: text()
          .max(8)
          .regex(/^[A-Z]+$/u, { says: 'capitals' })
          .unique(),
        seats: integer().min(2).nullable(),
        kind: select(['a', 'b']).nullable(),
        shelf: text().nullable(),
        place: text().nullable(),
        at: dateTime().nullable(),
      },
      related: { other: belongsTo('things').nullable() },
    }),
  },
})

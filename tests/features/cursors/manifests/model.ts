import {
  belongsTo,
  bigInteger,
  boolean,
  date,
  dateTime,
  decimal,
  defineManifest,
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
    people: repository({ fields: { name: text().nullable(), is_hidden: boolean() } }),
    items: repository({
      fields: {
        name: text().nullable(),
        price: decimal(12, 2).nullable(),
        large: bigInteger().nullable(),
        happened_at: dateTime().nullable(),
        day: date().nullable(),
        rank: integer(),
        flag: boolean(),
        ratio: float().nullable(),
        is_hidden: boolean(),
      },
      match: { rank: 'integer' },
      sort: ['id', 'name', 'price', 'large', 'happened_at', 'day', 'rank', 'flag', 'ratio'],
      related: { person: belongsTo('people', { sortable: ['name'] }).nullable() },
      indexes: [['rank']],
    }),
  },
})

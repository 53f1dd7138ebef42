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
  select,
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
    categories: repository({ fields: { name: text() } }),
    orders: repository({
      aggregate: {
        groupBy: [
          'status',
          'title',
          'paid_at',
          'due_on',
          'is_gift',
          'amount',
          'bytes',
          'category_id',
          'category.name',
        ],
        of: ['amount', 'bytes', 'quantity', 'weight', 'paid_at', 'due_on', 'title'],
      },
      match: { is_gift: 'boolean' },
      fields: {
        status: select(['open', 'paid']).nullable(),
        title: text().nullable(),
        paid_at: dateTime().nullable(),
        due_on: date().nullable(),
        is_gift: boolean(),
        amount: decimal(15, 4).nullable(),
        bytes: bigInteger().nullable(),
        quantity: integer().nullable(),
        weight: float().nullable(),
        seen: boolean(),
      },
      related: { category: belongsTo('categories').nullable() },
    }),
  },
})

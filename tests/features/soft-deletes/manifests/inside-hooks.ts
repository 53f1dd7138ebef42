import {
  defineManifest,
  belongsTo,
  boolean,
  email,
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
    accounts: repository({ fields: { balance: integer().default(0).readonly() } }),
    entries: repository({
      hooks: 'inside',
      softDeletes: true,
      fields: { amount: integer() },
      related: { account: belongsTo() },
    }),
  },
})

import { boolean, dateTime, defineManifest, email, password, repository, text } from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: [],
  idempotency: true,
  dryRun: true,
  repositories: {
    users: repository({
      bulk: true,
      versioned: true,
      fields: {
        name: text(),
        email: email().unique(),
        password: password().nullable(),
        is_admin: boolean().default(false).readonly(),
        email_verified_at: dateTime().nullable().readonly(),
      },
    }),
    orders: repository({
      bulk: true,
      versioned: true,
      softDeletes: true,
      fields: { title: text().max(80), code: text().nullable().unique() },
    }),
  },
})

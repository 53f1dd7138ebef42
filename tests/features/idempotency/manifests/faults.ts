import { boolean, defineManifest, email, password, repository, text } from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: [],
  idempotency: true,
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    orders: repository({ hooks: true, fields: { title: text() } }),
  },
})

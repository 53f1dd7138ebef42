import { defineManifest, boolean, email, password, repository, text } from 'svckit'

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
    pages: repository({ versioned: true, fields: { title: text() } }),
  },
})

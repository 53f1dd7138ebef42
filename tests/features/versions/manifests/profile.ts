import { defineManifest, boolean, email, password, repository, text } from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  repositories: {
    users: repository({
      versioned: true,
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
  },
})

import { defineManifest, boolean, email, password, repository, text } from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: ['trees', 'filters'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    products: repository({
      aggregate: { groupBy: ['name'] },
      match: { name: 'text' },
      fields: { name: text() },
    }),
    reports: repository({ match: { name: 'text' }, fields: { name: text() } }),
    countries: repository({
      id: 'text',
      aggregate: { groupBy: ['name'] },
      match: { name: 'text' },
      fields: { name: text() },
    }),
  },
})

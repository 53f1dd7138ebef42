import { belongsToMany, boolean, defineManifest, email, password, repository, text } from 'svckit'

/** Nothing else of `teams` looks at a body. */
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
    teams: repository({
      bulk: true,
      upsertBy: ['name'],
      fields: { name: text().unique() },
      related: {
        users: belongsToMany({ writable: true, pivot: { note: text().nullable() } }),
      },
    }),
  },
})

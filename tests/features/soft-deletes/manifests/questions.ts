import { defineManifest, belongsTo, boolean, email, password, repository, text } from 'svckit'

export default defineManifest({
  database: 'sqlite',
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
    posts: repository({
      softDeletes: true,
      title: 'title',
      fields: { title: text() },
      related: { owner: belongsTo('users', { filledBy: 'user' }) },
    }),
  },
})

import { defineManifest, boolean, email, fullText, password, repository, text } from 'svckit'

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
    letters: repository({
      public: true,
      title: 'text',
      searchable: ['text'],
      globalSearch: true,
      fields: { text: text() },
    }),
    sheets: repository({
      public: true,
      title: 'text',
      searchable: fullText(['text']),
      globalSearch: true,
      fields: { text: text() },
    }),
  },
})

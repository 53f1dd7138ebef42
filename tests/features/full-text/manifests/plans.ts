import {
  boolean,
  defineManifest,
  email,
  fullText,
  password,
  repository,
  text,
  textarea,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: ['cursors'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    items: repository({
      searchable: fullText(['title', 'body'], { language: 'english' }),
      sort: ['title'],
      fields: { title: text(), body: textarea().nullable(), secret: text().nullable() },
    }),
    sheets: repository({
      searchable: fullText(['one', 'two', 'three', 'four']),
      fields: { one: text(), two: text(), three: text(), four: text() },
    }),
    parts: repository({
      searchable: fullText(['one', 'two', 'three', 'four']),
      fields: { one: text(), two: text(), three: text(), four: text() },
    }),
    notes: repository({ id: 'uuid', searchable: fullText(['text']), fields: { text: text() } }),
  },
})

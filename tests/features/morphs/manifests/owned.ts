import {
  belongsTo,
  boolean,
  defineManifest,
  email,
  morphMany,
  morphTo,
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
    animals: repository({
      fields: { name: text() },
      related: { owner: belongsTo('users'), notes: morphMany({ name: 'subject' }) },
    }),
    rooms: repository({
      id: 'uuid',
      fields: { name: text() },
      related: { notes: morphMany({ name: 'subject' }) },
    }),
    notes: repository({ fields: { body: text() }, related: { subject: morphTo() } }),
  },
})

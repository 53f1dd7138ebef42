import {
  belongsTo,
  boolean,
  defineManifest,
  email,
  morphMany,
  morphOne,
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
      fields: { name: text(), label: text().default('green') },
      related: {
        owner: belongsTo('users'),
        notes: morphMany({ name: 'subject' }),
        bin: morphOne('cards', { name: 'input' }),
      },
    }),
    notes: repository({ fields: { body: text() }, related: { subject: morphTo() } }),
    cards: repository({ fields: { body: text() }, related: { input: morphTo() } }),
  },
})

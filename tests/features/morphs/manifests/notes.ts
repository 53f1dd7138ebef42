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
    clinics: repository({ fields: { name: text() } }),
    animals: repository({
      searchable: ['name'],
      fields: { name: text() },
      related: {
        owner: belongsTo('users'),
        notes: morphMany({ name: 'subject' }),
        photo: morphOne('notes', { name: 'pictured' }),
      },
    }),
    rooms: repository({
      id: 'uuid',
      fields: { name: text(), label: text().default('green') },
      related: { clinic: belongsTo(), notes: morphMany({ name: 'subject' }) },
    }),
    notes: repository({
      match: { subject_type: 'text', subject_id: 'text' },
      unique: [['subject_type', 'subject_id', 'body']],
      fields: { body: text().max(100) },
      related: {
        subject: morphTo({ description: 'What it is about.' }),
        pictured: morphTo(),
        replies: morphMany('notes', { name: 'subject' }),
      },
    }),
  },
})

import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  email,
  field,
  hasMany,
  password,
  repository,
  text,
  textarea,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        nickname: text().nullable(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    notes: repository({
      bulk: true,
      upsertBy: ['code'],
      match: { title: 'text' },
      fields: {
        code: text().max(40).unique(),
        title: text().max(40),
        body: textarea(),
        label: field().min(2).default('none'),
        remark: text().nullable(),
        open: text().allowEmpty(),
        ref: text().startsWith('R-').nullable(),
      },
      related: {
        lines: hasMany({ writable: true }),
        tags: belongsToMany({ pivot: { role: text().default('member'), hint: text().nullable() } }),
      },
    }),
    lines: repository({ fields: { what: text() }, related: { note: belongsTo().nullable() } }),
    tags: repository({ fields: { name: text() }, related: { notes: belongsToMany() } }),
  },
})

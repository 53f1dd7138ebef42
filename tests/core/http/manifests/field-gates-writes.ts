import {
  defineManifest,
  belongsTo,
  boolean,
  email,
  hasMany,
  integer,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  dryRun: true,
  idempotency: true,
  repositories: {
    users: repository({
      upsertBy: ['nick'],
      searchable: ['name', 'email'],
      sort: ['email'],
      fields: {
        name: text(),
        nick: text().nullable().unique(),
        email: email().unique(),
        password: password().nullable(),
        is_admin: boolean().default(false),
      },
      related: { cards: hasMany(), notes: hasMany() },
    }),
    cards: repository({
      bulk: true,
      softDeletes: true,
      export: true,
      reads: ['operators', 'trees', 'cursors', 'sparse', 'filters', 'includeArguments'],
      upsertBy: ['slug'],
      aggregate: { groupBy: ['team', 'memo', 'owner.email'], of: ['memo', 'wage'] },
      searchable: ['slug', 'memo'],
      match: { slug: 'text', memo: 'partial', wage: 'between' },
      sort: ['id', 'memo', 'wage'],
      fields: {
        slug: text().unique(),
        team: text().nullable(),
        memo: text().nullable(),
        pin: text().nullable().unique(),
        wage: integer().nullable(),
        code: text().default('new'),
      },
      related: {
        owner: belongsTo('users', { searchable: ['email'], sortable: ['email'] }).nullable(),
        notes: hasMany({ writable: true }),
        notices: hasMany(),
      },
    }),
    notes: repository({
      reads: ['operators', 'trees'],
      match: { 'card.memo': 'text', 'card.wage': 'between' },
      sort: ['id'],
      fields: { text: text(), memo: text().nullable() },
      related: { card: belongsTo('cards').nullable(), owner: belongsTo('users').nullable() },
    }),
    notices: repository({ fields: { text: text() }, related: { card: belongsTo() } }),
  },
})

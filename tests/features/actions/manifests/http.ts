import {
  action,
  belongsTo,
  boolean,
  dateTime,
  defineManifest,
  email,
  getter,
  integer,
  password,
  repository,
  select,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  idempotency: true,
  dryRun: true,
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
      searchable: ['title'],
      match: { status: 'text' },
      reads: ['operators', 'trees'],
      fields: {
        title: text(),
        status: select(['draft', 'live', 'locked']).default('draft'),
        published_at: dateTime().nullable(),
      },
      related: { owner: belongsTo('users', { filledBy: 'user' }) },
      actions: {
        publish: action({
          input: { at: dateTime().nullable(), note: text().max(20).default('none') },
          label: 'Put online',
          destructive: true,
        }),
        rename: action({ on: 'one', input: { title: text().max(20) } }),
        importAll: action({ on: 'none', input: { count: integer().min(1) } }),
        fail: action({ description: 'It fails at a title' }),
        quiet: action(),
        show: action({ on: 'one' }),
        echo: action({ on: 'none', input: { note: text().nullable().default('some') } }),
      },
      getters: {
        stats: getter<{ words: number; owner: string }>(),
        total: getter<number>({ on: 'none' }),
      },
    }),
    pages: repository({
      public: true,
      fields: { title: text() },
      getters: { length: getter<number>(), count: getter<number>({ on: 'none' }) },
    }),
    notes: repository({
      versioned: 'required',
      fields: { body: text() },
      related: { owner: belongsTo('users', { filledBy: 'user' }) },
      actions: { mark: action() },
    }),
  },
})

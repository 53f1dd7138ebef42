import {
  belongsTo,
  boolean,
  defineManifest,
  email,
  integer,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  repositories: {
    users: repository({
      title: 'name',
      searchable: ['name'],
      globalSearch: { subtitle: 'email' },
      fields: {
        name: text(),
        email: email().unique(),
        password: password().nullable(),
        is_admin: boolean().default(false),
      },
    }),
    posts: repository({
      public: true,
      title: 'title',
      searchable: ['title'],
      globalSearch: { subtitle: 'place' },
      softDeletes: true,
      fields: { title: text().max(40), place: integer().nullable(), secret: text().nullable() },
      related: {
        owner: belongsTo('users', { filledBy: 'user' }),
        writer: belongsTo('users', { searchable: ['name'] }).nullable(),
      },
    }),
    vaults: repository({
      title: 'name',
      searchable: ['name'],
      globalSearch: true,
      fields: { name: text() },
    }),
    notes: repository({ title: 'name', searchable: ['name'], fields: { name: text() } }),
    codes: repository({
      id: 'text',
      title: 'name',
      searchable: ['name'],
      globalSearch: { subtitle: 'town' },
      fields: { name: text(), town: text().nullable() },
    }),
  },
})

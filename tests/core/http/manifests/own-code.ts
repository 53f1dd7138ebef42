import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  email,
  hasMany,
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
    teams: repository({
      hooks: 'inside',
      match: { name: 'text' },
      sort: ['name'],
      fields: { name: text() },
      related: {
        users: belongsToMany({ pivot: { is_lead: boolean().default(false) } }),
        events: hasMany(),
      },
    }),
    events: repository({ fields: { what: text() }, related: { team: belongsTo('teams') } }),
  },
})

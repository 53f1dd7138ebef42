import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  email,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: ['operators', 'trees'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
    }),
    products: repository({
      match: {
        name: 'text',
        'seller.name': 'text',
        'tags.name': 'text',
        'tags.color': 'text',
        'tags.products.name': 'text',
        tags: 'exists',
      },
      fields: { name: text() },
      related: { seller: belongsTo('users', { filledBy: 'user' }), tags: belongsToMany() },
    }),
    tags: repository({
      fields: { name: text(), color: text() },
      related: { products: belongsToMany() },
    }),
  },
})

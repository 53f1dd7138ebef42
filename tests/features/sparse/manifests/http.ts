import {
  defineManifest,
  belongsTo,
  belongsToMany,
  boolean,
  computed,
  decimal,
  email,
  hasMany,
  integer,
  morphMany,
  morphTo,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: ['sparse'],
  repositories: {
    users: repository({
      fields: {
        name: text(),
        email: email().unique(),
        password: password(),
        is_admin: boolean().default(false),
      },
      related: { products: hasMany() },
    }),
    products: repository({
      versioned: true,
      softDeletes: true,
      hooks: true,
      searchable: ['name'],
      match: { name: 'text', fields: 'text' },
      sort: ['id', 'name'],
      fields: {
        name: text(),
        price: decimal(8, 2).nullable(),
        note: text().nullable(),
        secret: text().nullable(),
        fields: text().default('few'),
      },
      related: {
        owner: belongsTo('users', { filledBy: 'user' }),
        reviews: hasMany(),
        tags: belongsToMany(),
        images: morphMany(),
        loud: computed(),
      },
    }),
    reviews: repository({
      sort: ['id'],
      fields: { body: text(), stars: integer(), hint: text().nullable() },
      related: { product: belongsTo() },
    }),
    tags: repository({
      fields: { name: text(), color: text().nullable() },
      related: { products: belongsToMany() },
    }),
    images: repository({
      fields: { path: text(), alt: text().nullable() },
      related: { imageable: morphTo() },
    }),
  },
})

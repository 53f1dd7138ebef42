import {
  belongsTo,
  belongsToMany,
  boolean,
  defineManifest,
  email,
  hasMany,
  hasOne,
  integer,
  morphMany,
  morphOne,
  morphTo,
  morphToMany,
  password,
  repository,
  text,
} from 'svckit'

export default defineManifest({
  database: 'sqlite',
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
    products: repository({
      softDeletes: true,
      count: ['reviews', 'tags', 'images', 'labels', 'secrets'],
      sort: ['id', 'name', 'reviews.count', 'tags.count', 'secrets.count'],
      fields: { name: text() },
      related: {
        owner: belongsTo('users', { filledBy: 'user' }),
        reviews: hasMany(),
        secrets: hasMany(),
        tags: belongsToMany({ pivot: { weight: integer().nullable() } }),
        images: morphMany(),
        labels: morphToMany(),
        cover: hasOne('covers', { sortable: ['path'] }),
        photo: morphOne('images', { name: 'imageable', sortable: ['path'] }),
      },
    }),
    reviews: repository({
      softDeletes: true,
      sort: ['id'],
      fields: { body: text() },
      related: { product: belongsTo() },
    }),
    secrets: repository({ fields: { body: text() }, related: { product: belongsTo() } }),
    covers: repository({ fields: { path: text().max(40) }, related: { product: belongsTo() } }),
    images: repository({
      fields: { path: text().max(40) },
      related: { imageable: morphTo() },
    }),
    tags: repository({
      softDeletes: true,
      fields: { name: text() },
      related: { products: belongsToMany() },
    }),
    labels: repository({ fields: { name: text() } }),
  },
})

import {
  belongsToMany,
  boolean,
  computed,
  defineManifest,
  email,
  multiSelect,
  password,
  repository,
  select,
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
    orders: repository({
      sort: ['id'],
      match: { constructor: 'text', status: 'text', size: 'array', weight: 'text' },
      fields: {
        name: text().max(20),
        code: text().max(20),
        status: select(['open', 'in_work', 'done']).default('open'),
        size: select(['s', 'm']).nullable(),
        weight: select(['light', 'very heavy', 'true']).default('light'),
        days: multiSelect(['mon', 'tue']).default([]),
        // Every object has members of these names.
        constructor: text().nullable(),
        toString: text().nullable(),
      },
      related: {
        progress: computed<{
          share: number
          steps: { name: string; note?: string }[]
          tag: 'a' | 'b' | null
        }>(),
        count: computed<number>({ batch: true }),
        raw: computed(),
        products: belongsToMany({ pivot: { grade: select(['low', 'high']).nullable() } }),
      },
    }),
    products: repository({ sort: ['id'], fields: { name: text() } }),
    orderStatuses: repository({ fields: { name: text() } }),
    orderSizeEnums: repository({ fields: { name: text() } }),
    orderSizes: repository({ fields: { name: text() } }),
    orderProductsEdges: repository({ fields: { name: text() } }),
    orderProgresses: repository({ fields: { name: text() } }),
  },
})

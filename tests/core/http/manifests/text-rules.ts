import { defineManifest, email, phone, repository, text, url } from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  repositories: {
    things: repository({
      fields: {
        code: text()
          .max(8)
          .regex(/^[A-Z]{3}-\d+$/u, { says: 'three letters, a dash and digits' })
          .unique(),
        label: text().startsWith('No. ').endsWith('!').nullable(),
        even: text()
          .regex(/^\d+$/u)
          .regex(/[02468]$/u)
          .nullable(),
        shop: url().startsWith('https://').nullable(),
        mobile: phone().startsWith('+39').nullable(),
        path: text().regex(/^p-/u).default('p-1'),
        address: email().endsWith('@example.com').nullable(),
      },
    }),
  },
})

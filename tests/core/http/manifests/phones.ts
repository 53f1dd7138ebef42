import { defineManifest, phone, repository } from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  repositories: {
    calls: repository({
      match: { number: 'text' },
      searchable: ['number'],
      sort: ['number'],
      fields: {
        number: phone(),
        line: phone().max(12).unique().nullable(),
        office: phone().default('+39 (06) 123-4567'),
      },
    }),
  },
})

import { defineManifest, repository, url } from 'svckit'

export default defineManifest({
  database: 'sqlite',
  reads: [],
  repositories: {
    links: repository({
      match: { address: 'text' },
      searchable: ['address'],
      sort: ['address'],
      fields: {
        address: url(),
        short: url().max(20).unique().nullable(),
        home: url().default('https://example.com'),
      },
    }),
  },
})

import { belongsTo, defineManifest, repository, text } from 'svckit'

const places = repository({
  match: { name: 'text' },
  sort: ['name'],
  fields: { name: text() },
})

const visits = repository({
  match: { name: 'text' },
  sort: ['name'],
  fields: { name: text() },
  related: { search: belongsTo('places') },
})

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  repositories: { places, visits },
})

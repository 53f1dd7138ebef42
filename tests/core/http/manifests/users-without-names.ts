import { defineManifest, email, password, repository } from 'svckit'

const users = repository({
  fields: { email: email().unique(), password: password() },
})

export default defineManifest({
  database: 'sqlite',
  openapi: false,
  reads: [],
  repositories: { users },
})

// Yours and svc's. For Prisma's own commands: npx prisma@7.10.0 studio, validate, migrate deploy, migrate status.

import { existsSync } from 'node:fs'

if (existsSync('.env')) process.loadEnvFile('.env')

export default {
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations', seed: 'tsx prisma/seed.ts' },
  datasource: { url: process.env['DATABASE_URL'] ?? '{{url}}' },
}

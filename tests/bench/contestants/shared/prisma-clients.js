/** Makes Prisma's client for both databases: `sqlite/client` and `postgresql/client` of the current folder. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const schema = readFileSync(new URL('blog.prisma', import.meta.url), 'utf8')
const prisma = createRequire(join(process.cwd(), 'package.json')).resolve('prisma/build/index.js')

for (const database of ['sqlite', 'postgresql']) {
  mkdirSync(database, { recursive: true })
  writeFileSync(`${database}/schema.prisma`, schema.replace('DATABASE', database))
  execFileSync(process.execPath, [prisma, 'generate', '--schema', `${database}/schema.prisma`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // The engine that migrates is not used: no need to download it.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  })
}

/** Prisma's client knows no key that is unique among some rows alone; and what is in a trash keeps its id. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { runs } from '../../support/runs.js'
import { typeCheck } from '../../support/type-check.js'
import { svc } from '../cli/project.js'
import { emit } from './emit.js'
import { run } from './run.js'

const ada = `
import { database } from './app/database.js'
import { prisma } from './app/prisma.js'
const users = await prisma.user.findMany({ orderBy: { id: 'asc' } })
console.log(JSON.stringify(users.map(({ email, deleted_at }) => [email, deleted_at === null])))
if (process.argv.includes('delete')) await prisma.user.updateMany({ data: { deleted_at: new Date() } })
await prisma.$disconnect()
await database.close()
`

describe.each(toldOn('sqlite'))('a project whose users have a trash, on %s', (database) => {
  test('compiles with its client, and its seed keeps who is there and makes anew who is deleted', async () => {
    const folder = await emit('features/soft-deletes', database, 'open', { wantsClient: true })
    const env = {
      DATABASE_URL: database === 'sqlite' ? 'file:storage/seed.sqlite' : await freshDatabase(),
      TEST_DATABASE_URL: `${inject('postgres')}postgres`,
      NODE_ENV: 'development',
    }
    const tsx = async (...line: readonly string[]) => {
      const { code, output } = await run('tsx', line, folder, env)
      expect(code, output).toBe(0)
      return output
    }
    expect(typeCheck(folder, 'prisma')).toBe('')
    expect((await svc(folder, 'migrate', 'save', 'init')).code).toBe(0)
    await tsx('app/migrate.ts')
    writeFileSync(join(folder, 'ada.ts'), ada)
    expect(await tsx('prisma/seed.ts')).toMatch(/^Authorization: Bearer 1\|\w{40}$/m)
    expect(await tsx('prisma/seed.ts')).toMatch(/^Authorization: Bearer 2\|\w{40}$/m)
    expect(JSON.parse(await tsx('ada.ts', 'delete'))).toEqual([['ada@example.com', true]])
    await tsx('prisma/seed.ts')
    expect(JSON.parse(await tsx('ada.ts'))).toEqual([
      ['ada@example.com', false],
      ['ada@example.com', true],
    ])
    rmSync(folder, { recursive: true })
  })
})

/** Calls of each of them: ids of the trash, and of a record whose version is required. */
const tried = [
  ['features/soft-deletes', 'posts'],
  ['features/bulk', 'comments'],
] as const

describe.each(runs(1) > 1 ? toldOn('sqlite') : [])('on %s', (database) => {
  test.each(tried)(
    "the tests of values of %s pass with Prisma's client, %s too",
    async (fixture, key) => {
      const folder = await emit(fixture, database, 'open', { wantsClient: true })
      const server = { TEST_DATABASE_URL: `${inject('postgres')}postgres`, NO_COLOR: '1' }
      const tests = ['run', 'tests/values.test.ts', '--reporter', 'verbose']
      const { code, output } = await run('vitest', tests, folder, server)
      expect(code, output).toBe(0)
      expect(output).toContain(`'${key}' > keeps, sorts and finds what came through prisma`)
      rmSync(folder, { recursive: true })
    },
  )
})

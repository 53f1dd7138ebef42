import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { linkModules } from '../../support/project.js'
import { runs } from '../../support/runs.js'
import { typeCheck } from '../../support/type-check.js'
import { emptyFolder, svc } from '../cli/project.js'
import { run } from '../compile/run.js'
import { existing } from './project.js'

test.each(toldOn('sqlite'))(
  'the tests of a project on %s pass, whatever was left alone',
  async (database) => {
    const key = database === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'SERIAL PRIMARY KEY'
    const bytes = database === 'sqlite' ? 'BLOB' : 'BYTEA'
    const from = await existing(
      database,
      `CREATE TABLE ticket ("ticketNo" ${key});
     CREATE TABLE person (id ${key}, name VARCHAR(40) NOT NULL, password TEXT NOT NULL);
     CREATE TABLE letter (id ${key}, title VARCHAR(40), "personId" INTEGER NOT NULL REFERENCES person (id));
     CREATE TABLE devise (id ${key}, email VARCHAR(40) NOT NULL DEFAULT '' UNIQUE);
     CREATE TABLE counted (id INT NOT NULL PRIMARY KEY, name VARCHAR(9));
     CREATE TABLE grade (id ${key}, mark INTEGER CHECK (mark BETWEEN 1 AND 5), code VARCHAR(9) CHECK (length(code) = 3));
     CREATE TABLE shop (id ${key}, name TEXT NOT NULL UNIQUE, "Opens at" VARCHAR(9) NOT NULL, "Größe (m²)" NUMERIC(8,2) DEFAULT 1.5, logo ${bytes}, state VARCHAR(9) NOT NULL CHECK (state IN ('open', 'shut')));
     CREATE TABLE note (id ${key}, "shop name" TEXT REFERENCES shop (name));
     ${database === 'sqlite' ? '' : 'CREATE TABLE word (id SERIAL PRIMARY KEY, of_language CHAR(9));'}`,
    )
    const root = emptyFolder()
    expect((await svc(root, 'init', '.', '--from', from.url)).code).toBe(0)
    expect((await svc(root, 'generate', '--check')).code).toBe(0)
    await linkModules(root)
    const tested = readFileSync(join(root, 'tests/repositories.ts'), 'utf8')
    expect([...tested.matchAll(/key: '(\w+)'/g)].map(([, name]) => name)).toEqual([
      'tickets',
      'shops',
    ])
    if (runs(1) > 1) await expectPassing(root)
    const policies = join(root, 'app/Policies')
    for (const name of readdirSync(policies)) {
      const path = join(policies, name)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(': () => false', ': () => true'))
    }
    await expectPassing(root)
  },
)

test('and where the tests can make no row at all', async () => {
  const sql = `CREATE TABLE person (id INTEGER PRIMARY KEY, password TEXT NOT NULL, name TEXT)`
  const root = emptyFolder()
  const from = await existing('sqlite', sql)
  expect((await svc(root, 'init', '.', '--from', from.url)).code).toBe(0)
  await linkModules(root)
  await expectPassing(root)
})

async function expectPassing(root: string): Promise<void> {
  expect(typeCheck(root, 'prisma')).toBe('')
  const server = { TEST_DATABASE_URL: `${inject('postgres')}postgres` }
  const { code, output } = await run('vitest', ['run'], root, server)
  expect(code, output).toBe(0)
}

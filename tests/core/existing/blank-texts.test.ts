import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { existing, served } from './project.js'

test.each(databases)(
  'a column that holds an empty text, or has one as its default, goes on taking them on %s',
  async (database) => {
    const key = database === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'SERIAL PRIMARY KEY'
    const from = await existing(
      database,
      `CREATE TABLE pages (id ${key}, title varchar(40) NOT NULL, body text NOT NULL, code varchar(9) NOT NULL UNIQUE,
         label varchar(9) NOT NULL DEFAULT '', name varchar(9) NOT NULL, remark text, place integer NOT NULL);
       INSERT INTO pages (title, body, code, name, remark, place) VALUES
         ('', 'x', 'a', 'x', '', 1), ('x', '\u3000\n', '', 'x', NULL, 2), ('x', 'x', 'c', '\u00a0 x', NULL, 3);`,
    )
    const { root, ask, run } = await served(from)
    const manifest = readFileSync(join(root, 'manifest/pages.ts'), 'utf8')
    const fields = Object.fromEntries(
      [...manifest.matchAll(/^ {4}(\w+): (.*),$/gm)].map(([, name, field]) => [name, field]),
    )
    expect(fields).toMatchObject({
      title: 'text().max(40).allowEmpty()',
      body: 'textarea().allowEmpty()',
      code: 'text().max(9).allowEmpty().unique()',
      label: "text().max(9).default('').allowEmpty()",
      name: 'text().max(9)',
      remark: 'textarea().nullable()',
      place: 'integer()',
    })
    expect((await run('generate', '--check')).code).toBe(0)
    const blank = { title: ' ', body: '', code: 'd', label: '', name: 'x', place: 1 }
    expect((await ask('POST', '/api/svc/pages', blank)).status).toBe(201)
    const { status, body } = await ask('POST', '/api/svc/pages', { ...blank, code: 'e', name: ' ' })
    expect([status, body.errors]).toEqual([422, { name: ['The name must not be empty.'] }])
    const { data } = (await ask('GET', '/api/svc/pages/1')).body
    expect((await ask('PUT', '/api/svc/pages/1', data.attributes)).status).toBe(200)
  },
)

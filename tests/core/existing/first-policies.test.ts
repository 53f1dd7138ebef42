import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { emptyFolder, svc } from '../cli/project.js'
import { existing, served } from './project.js'

const tables = {
  sqlite: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL, title TEXT NOT NULL);',
  postgresql:
    'CREATE TABLE notes (id serial PRIMARY KEY, body text NOT NULL, title text NOT NULL);',
}

describe.each(databases)('a database on %s', (name) => {
  test('whose texts have no length has titles and is searched, and is read by everybody where init was told so', async () => {
    const long = 'x'.repeat(300)
    const from = await existing(
      name,
      `${tables[name]} INSERT INTO notes (body, title) VALUES ('Bread ${long}', 'Monday'), ('Milk', 'Tuesday');`,
    )
    const { root, said, ask } = await served(from, {}, ['--policies', 'public-read'])
    expect(said.out).toContain('Everybody may read and nobody may write')
    const manifest = readFileSync(join(root, 'manifest/notes.ts'), 'utf8')
    expect(manifest).toContain("title: 'title',\n  searchable: ['title', 'body'],")
    const policy = readFileSync(join(root, 'app/Policies/NotePolicy.ts'), 'utf8')
    expect(policy).toMatch(/show: \(\) => true/)
    const { status, body } = await ask('GET', '/api/svc/notes?search=Bread')
    expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, ['1']])
  })
})

test('svc init says why no row has an owner yet', async () => {
  const { code, out, errors } = await svc(
    ...[emptyFolder(), 'init', '.', '--from', 'file:none.sqlite', '--policies', 'owner'],
  )
  expect(code).toBe(1)
  expect(out + errors).toContain("newPolicies: 'owner' in manifest/index.ts opens the policies")
})

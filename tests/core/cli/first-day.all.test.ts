import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { filesOf } from '../../support/pages.js'
import { fill } from '../write/folder.js'
import { dev, freePort } from './dev.js'
import { linkDependencies, newProject } from './project.js'
import { svcOnTerminal } from './terminal.js'

test('the shop of docs/shop.md is made while svc dev runs, which says where /docs is', async () => {
  const root = await newProject()
  linkDependencies(root)
  const port = await freePort()
  const { said } = dev(root, port)
  const until = (what: () => unknown, about: string) =>
    expect.poll(what, { interval: 50, message: `${about}\n${said()}` })
  await until(said, 'says where').toContain(`Open http://127.0.0.1:${port}/docs\n`)

  fill(root, Object.fromEntries(filesOf('docs/shop.md')))
  rmSync(join(root, 'manifest/posts.ts'))
  const document = () =>
    fetch(`http://127.0.0.1:${port}/openapi.json`).then(
      (answer) => answer.text(),
      () => '',
    )
  await until(document, 'serves products').toContain('/api/svc/products')
  expect(await document()).not.toContain('/api/svc/posts')
  expect(existsSync(join(root, 'app/Policies/PostPolicy.ts'))).toBe(false)
  expect(said()).toContain('{"level":30') // nobody reads it on a terminal
})

test.skipIf(process.platform === 'win32')(
  'on a terminal, svc dev has lines for people, and drops rows only where somebody says yes',
  async () => {
    const root = await newProject()
    linkDependencies(root)
    const port = await freePort()
    const env = { PORT: String(port), NODE_ENV: 'development', DATABASE_URL: 'file:storage/a.db' }
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const read = (path: string) => readFileSync(join(root, path), 'utf8')
    const change = (path: string, from: string, to: string) =>
      fill(root, { [path]: read(path).replace(from, to) })

    const columns = () => {
      const file = new Sqlite(join(root, 'storage/a.db'))
      const found = file.prepare('select name from pragma_table_info(?)').all(['posts'])
      file.close()
      return found
    }
    const takeBody = () => {
      const file = new Sqlite(join(root, 'storage/a.db'))
      file.exec(`insert into users (name, email, password, updated_at) values ('Ada', 'a@example.com', 'x', '2026-01-01T00:00:00.000+00:00');
        insert into posts (title, body, owner_id, updated_at) values ('First', 'a', 1, '2026-01-01T00:00:00.000+00:00')`)
      file.close()
      change('manifest/posts.ts', "['title', 'body']", "['title']")
      change('manifest/posts.ts', 'body: textarea(),', '')
      return ''
    }
    const addNote = () => {
      expect(columns()).toContainEqual({ name: 'body' })
      change('manifest/posts.ts', 'fields: {', 'fields: {\n    note: text().nullable(),')
      return ''
    }
    const { code, out } = await svcOnTerminal(
      root,
      ['dev'],
      { question: '/docs', keys: takeBody },
      { question: 'Lose it now?', keys: 'n' },
      { question: 'It starts once', keys: addNote },
      { question: 'Lose it now?', keys: 'y' },
      { question: 'Dropped, as you accepted', keys: '' },
      { question: 'listening on', keys: '\u0003' },
    )
    expect(columns()).not.toContainEqual({ name: 'body' })
    expect(code, out).toBe(0)
    expect(out).toMatch(/\d\d:\d\d:\d\d listening on http/)
    expect(out).not.toContain('{"level"')
  },
)

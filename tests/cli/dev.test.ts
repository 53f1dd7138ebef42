import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fill, textsOf } from '../write/folder.js'
import { dev, freePort } from './dev.js'
import { newProject, linkDependencies, svc } from './project.js'

const status = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.status,
    () => 0,
  )

test(
  'svc dev serves, follows the manifest and the code, and keeps the old server through mistakes',
  { timeout: 120_000 },
  async () => {
    const root = await newProject()
    linkDependencies(root)
    const port = await freePort()
    const { said, end } = dev(root, port)
    const change = (path: string, from: string, to: string) =>
      fill(root, { [path]: readFileSync(join(root, path), 'utf8').replace(from, to) })
    const until = (what: () => unknown, about: string) =>
      expect.poll(what, { timeout: 20_000, interval: 100, message: `${about}\n${said()}` })

    await until(() => status(port, '/health'), 'serves').toBe(200)
    expect(await status(port, '/api/svc/posts')).toBe(401)

    change(
      'manifest/posts.ts',
      'body: textarea(),',
      'body: textarea(),\n    subtitle: text().nullable(),',
    )
    await until(said, 'applies the draft').toContain('draft migration applied')
    change('manifest/posts.ts', 'subtitle: text()', 'summary: text()')
    await until(
      () => said().split('draft migration applied').length,
      'moves to the next draft',
    ).toBe(3)
    await until(() => status(port, '/health'), 'serves again').toBe(200)

    change('manifest/posts.ts', "title: 'title'", "title: 'titel'")
    await until(said, 'prints problems').toMatch(/manifest\/posts\.ts:\d+:\d+ /)
    expect(await status(port, '/health')).toBe(200)
    change('manifest/posts.ts', "title: 'titel'", "title: 'title'")

    change(
      'routes/api.ts',
      'svcResources(api)',
      "svcResources(api)\napi.get('/mine', (c) => c.text('mine'))",
    )
    await until(() => status(port, '/api/mine'), 'serves the developer’s own route').toBe(200)

    const before = textsOf(root)['app/Repositories/PostRepository.ts']
    change('manifest/index.ts', '{ users, posts }', '{ users }')
    change('manifest/users.ts', 'posts: hasMany(),', '')
    await until(said, 'removes nothing').toContain('Not applied while watching')
    expect(textsOf(root)['app/Repositories/PostRepository.ts']).toBe(before)

    expect(await end()).toBe(0)
    expect(await status(port, '/health')).toBe(0)
  },
)

test('svc dev asks for npm install first', async () => {
  const root = await newProject()
  const { code, errors } = await svc(root, 'dev')
  expect({ code, errors }).toEqual({ code: 1, errors: 'Run `npm install` first.\n' })
})

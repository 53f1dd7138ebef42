import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fill } from '../write/folder.js'
import { dev, freePort } from './dev.js'
import { emptyFolder, newProject, linkDependencies, svc } from './project.js'

const status = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.status,
    () => 0,
  )

test('svc dev serves, follows the manifest and the code, and keeps the old server through mistakes', async () => {
  const root = await newProject()
  linkDependencies(root)
  const port = await freePort()
  const { said, end } = dev(root, port)
  const change = (path: string, from: string, to: string) =>
    fill(root, { [path]: readFileSync(join(root, path), 'utf8').replace(from, to) })
  const until = (what: () => unknown, about: string) =>
    expect.poll(what, { interval: 50, message: `${about}\n${said()}` })

  await until(() => status(port, '/health'), 'serves').toBe(200)
  expect(await status(port, '/api/svc/posts')).toBe(401)

  change(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    subtitle: text().nullable(),',
  )
  const drafts = () => said().split('draft migration applied').length - 1
  await until(drafts, 'moves from the first draft to the next').toBe(2)
  change('manifest/posts.ts', 'subtitle: text()', 'summary: text()')
  await until(drafts, 'moves to the next draft').toBe(3)
  await until(() => status(port, '/health'), 'serves again').toBe(200)

  change('manifest/posts.ts', "title: 'title'", "title: 'titel'")
  await until(said, 'prints problems').toMatch(/manifest\/posts\.ts:\d+:\d+ /)
  expect(await status(port, '/health')).toBe(200)
  change('manifest/posts.ts', "title: 'titel'", "title: 'title'")

  const told = said().length
  change(
    'routes/api.ts',
    'svcResources(api)',
    "svcResources(api)\napi.get('/mine', (c) => c.text('mine'))",
  )
  const isOnItsWay = async () =>
    (await status(port, '/health')) === 0 || (await status(port, '/api/mine')) === 200
  await until(isOnItsWay, 'stops for it').toBe(true)
  change('routes/api.ts', "'/mine'", "'/ours'")
  await until(() => status(port, '/api/ours'), 'serves the developer’s own route').toBe(200)
  expect(said().slice(told)).not.toContain('The server stopped')

  const policy = 'app/Policies/PostPolicy.ts'
  change(policy, 'show:', '// Mine.\n  show:')
  change('manifest/index.ts', '{ users, posts }', '{ users }')
  change('manifest/users.ts', 'posts: hasMany(),', '')
  await until(() => existsSync(join(root, 'app/Repositories/PostRepository.ts')), 'follows').toBe(
    false,
  )
  await until(() => status(port, '/health'), 'serves without them').toBe(200)
  expect(readFileSync(join(root, policy), 'utf8')).toContain('// Mine.')

  expect(await end()).toBe(0)
  expect(await status(port, '/health')).toBe(0)
})

test('svc dev in a folder without a manifest says so, and nothing else', async () => {
  const { code, out, errors } = await svc(emptyFolder(), 'dev')
  expect({ code, errors }).toEqual({ code: 1, errors: '' })
  expect(out).toContain('there is no manifest in this folder')
})

test('svc dev asks for npm install first', async () => {
  const root = await newProject()
  const { code, errors } = await svc(root, 'dev')
  expect({ code, errors }).toEqual({ code: 1, errors: 'Run `npm install` first.\n' })
})

import { readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchProject, type Changed } from '../../../generator/commands/change/watch-project.js'
import { fill, textsOf } from '../write/folder.js'
import { dev, failing } from './dev.js'
import { newProject, savedProject } from './project.js'

test('svc generate --watch takes a field back, follows a rename, and says what it does not do', async () => {
  // The client is written while this reads.
  vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const root = await savedProject()
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const change = (path: string, from: string, to: string) =>
    fill(root, { [path]: read(path).replace(from, to) })
  const { said, end } = dev(root, 0, ['generate', '--watch'], [failing])
  const until = (what: () => unknown, about: string) =>
    expect.poll(what, { interval: 100, message: `${about}\n${said()}` })
  await until(said, 'starts').toContain('Watching the manifest.')
  const before = textsOf(root)

  fill(root, { bug: '' })
  change(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    note: text().nullable(),',
  )
  await until(said, 'goes on after a bug').toMatch(/This is a bug in svc [^]*a bug of the test/)
  rmSync(join(root, 'bug'))
  change('manifest/posts.ts', '\n    note: text().nullable(),', '')

  const field = 'body: textarea(),\n    subtitle: text().nullable(),'
  change('manifest/posts.ts', 'body: textarea(),', field)
  await until(() => read('app/Models.ts'), 'adds the field').toContain('subtitle')
  await until(() => textsOf(root)['prisma/migrations/draft.sql'], 'drafts').toContain('subtitle')
  change('manifest/posts.ts', field, 'body: textarea(),')
  await until(() => read('app/Models.ts'), 'takes it back').not.toContain('subtitle')
  await until(() => textsOf(root)['prisma/migrations/draft.sql'], 'drops the draft').toBe(undefined)
  expect(textsOf(root)).toEqual(before)
  expect(said()).not.toContain('Not applied while watching')

  change('manifest/index.ts', '{ users, posts }', '{ users }')
  change('manifest/users.ts', 'posts: hasMany(),', '')
  await until(() => Object.keys(textsOf(root)), 'follows').not.toContain(
    'app/Repositories/PostRepository.ts',
  )
  const own = { 'config/svc.ts': read('config/svc.ts').replace("'users'", 'null') }
  fill(root, own)
  await until(said, 'does not end signing in').toContain('Not applied while watching')
  expect(Object.keys(textsOf(root))).toContain('app/auth.ts')
  expect(await end()).toBe(0)
})

test('what changed during the last run starts none after the end', async () => {
  const root = await newProject()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let [runs, seen] = [0, 0]
  const report = (error: unknown) => expect.unreachable(String(error))
  const watcher = await watchProject(root, {
    report,
    renew: async () => {
      runs += 1
      await released
      return []
    },
  })
  const witness = await watchProject(root, { report, renew: async () => ((seen += 1), []) })
  onTestFinished(() => witness.close())
  fill(root, { 'app/Models.ts': '// one' })
  await expect.poll(() => [runs, seen]).toEqual([1, 1])
  fill(root, { 'routes/api.ts': '// two' })
  await expect.poll(() => seen).toBe(2)
  const closed = watcher.close()
  release()
  await closed
  expect(runs).toBe(1)
})

test('a save that is told of twice is one, and the same text saved again is another', async () => {
  const root = await newProject()
  const saveAt = (seconds: number) => utimesSync(join(root, 'routes/api.ts'), 0, seconds)
  const calls: (readonly string[])[] = []
  let release = () => {}
  let released = new Promise<void>((resolve) => (release = resolve))
  let seen = 0
  const report = (error: unknown) => expect.unreachable(String(error))
  const renew = async ({ paths }: Changed) => {
    calls.push(paths.toSorted())
    await released
    return []
  }
  const watcher = await watchProject(root, { report, renew })
  onTestFinished(() => watcher.close())
  const witness = await watchProject(root, { report, renew: async () => ((seen += 1), []) })
  onTestFinished(() => witness.close())
  saveAt(1000)
  await expect.poll(() => [calls.length, seen]).toEqual([1, 1])
  // The system tells of it once more while the first run goes on.
  saveAt(1000)
  fill(root, { 'app/Models.ts': '// one' })
  await expect.poll(() => seen).toBe(2)
  release()
  await expect.poll(() => calls).toHaveLength(2)
  released = Promise.resolve()
  saveAt(2000)
  await expect.poll(() => calls).toHaveLength(3)
  expect(calls).toEqual([['routes/api.ts'], ['app/Models.ts'], ['routes/api.ts']])
})

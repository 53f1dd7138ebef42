import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Bundler } from '../../../generator/commands/change/dev/bundle.js'
import { fill } from '../write/folder.js'
import { linkDependencies, newProject } from './project.js'

test('the script of svc dev is made again where code of the server changed, and nowhere else', async () => {
  const root = await newProject('--runtime=own')
  linkDependencies(root)
  const folder = join(root, '.svc/dev')
  mkdirSync(folder, { recursive: true })
  const bundler = new Bundler(root, folder)
  onTestFinished(() => bundler.close())
  let last = await bundler.build()
  expect(last).toHaveProperty('file')
  const isMadeAgain = async (...changed: readonly string[]) => {
    bundler.note(changed)
    const before = last
    last = await bundler.build()
    return before !== last
  }
  const others = ['manifest/posts.ts', 'tests/api.test.ts', 'prisma/mine.ts', '.env', 'README.md']
  expect(await isMadeAgain()).toBe(false)
  expect(await isMadeAgain(...others)).toBe(false)
  for (const path of ['routes/api.ts', 'runtime/errors.ts', 'package.json', 'tsconfig.json']) {
    expect([path, await isMadeAgain(...others, path)]).toEqual([path, true])
  }
  // A new file may take the place of one that an import led to.
  expect(await isMadeAgain('app/new.ts')).toBe(true)
  // Every import is part of the server, whatever folder it is in.
  const routes = readFileSync(join(root, 'routes/api.ts'), 'utf8')
  const importing = (path: string) => ({
    [path]: 'export {}\n',
    'routes/api.ts': `import '../${path}'\n${routes}`,
  })
  fill(root, importing('prisma/mine.ts'))
  expect(await isMadeAgain('routes/api.ts')).toBe(true)
  expect(await isMadeAgain('prisma/mine.ts')).toBe(true)
  expect(await isMadeAgain('manifest/posts.ts')).toBe(false)
  // Nobody says when Prisma's client is made.
  fill(root, importing('prisma/client/mine.ts'))
  expect(await isMadeAgain('routes/api.ts')).toBe(true)
  expect(await isMadeAgain()).toBe(true)
})

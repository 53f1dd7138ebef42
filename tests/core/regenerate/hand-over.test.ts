import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newProject, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'

let root = ''
beforeEach(async () => {
  root = await newProject()
})

const path = 'app/Models.ts'
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const addField = () =>
  fill(root, {
    'manifest/posts.ts': read('manifest/posts.ts').replace(
      'body: textarea(),',
      'body: textarea(),\n    subtitle: text().nullable(),',
    ),
  })

test('an ejected file stays as it is; what svc would write since is shown once, and merged by adopt', async () => {
  expect((await svc(root, 'eject', `./${path}`)).out).toContain(`${path} is yours.`)
  const before = read(path)
  addField()
  const { code, out } = await svc(root, 'generate')
  expect(code).toBe(0)
  expect(out).toContain(`svc would write ${path} differently now.`)
  expect(out).toContain('\n+  subtitle: string | null\n')
  expect(read(path)).toBe(before)
  const again = (await svc(root, 'generate')).out
  expect(again).toContain(`keep      ${path}  (yours; svc would write it differently now:`)
  expect(again).not.toContain('subtitle')
  expect((await svc(root, 'generate', '--force')).code).toBe(0)
  expect(read(path)).toBe(before)
  fill(root, { [path]: `${before}// mine\n` })
  expect((await svc(root, 'adopt', path)).code).toBe(0)
  expect(read(path)).toContain('subtitle: string | null')
  expect(read(path)).toContain('// mine')
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})

test('a shared file is handed over too: svc no longer writes into it', async () => {
  const shared = 'package.json'
  expect((await svc(root, 'eject', shared)).out).toContain(`${shared} is yours.`)
  fill(root, { [shared]: read(shared).replace(/\n +"kysely": "[^"]*",?/, '') })
  const before = read(shared)
  expect(before).not.toContain('kysely')
  fill(root, { 'manifest/posts.ts': `${read('manifest/posts.ts')}\n` })
  addField()
  expect((await svc(root, 'generate', '--force')).code).toBe(0)
  expect(read(shared)).toBe(before)
  expect((await svc(root, 'adopt', shared)).code).toBe(0)
  expect((await svc(root, 'eject', 'routes/api.ts')).code).toBe(0)
  expect((await svc(root, 'eject', 'config/svc.ts')).code).toBe(0)
})

test('an ejected file survives its repository', async () => {
  await svc(root, 'eject', 'app/Repositories/PostRepository.ts')
  fill(root, {
    'manifest/index.ts': read('manifest/index.ts').replace('{ users, posts }', '{ users }'),
    'manifest/users.ts': read('manifest/users.ts').replace('posts: hasMany(),', ''),
  })
  const { out } = await svc(root, 'generate')
  expect(out).toContain('orphan    app/Repositories/PostRepository.ts')
  expect(Object.keys(textsOf(root))).toContain('app/Repositories/PostRepository.ts')
})

test('adopt brings a deleted policy back', async () => {
  rmSync(join(root, 'app/Policies/PostPolicy.ts'))
  await svc(root, 'generate')
  expect(read('app/Repositories/PostRepository.ts')).toContain('policy: noPolicy,')
  expect((await svc(root, 'adopt', 'app/Policies/PostPolicy.ts')).code).toBe(0)
  expect(read('app/Repositories/PostRepository.ts')).toContain('policy: PostPolicy,')
  expect(read('app/Policies/PostPolicy.ts')).toContain('show: () => false')
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})

test('ejecting or adopting a file that cannot be is an error, and nothing is written', async () => {
  const before = textsOf(root)
  const refusal = async (...line: string[]) => (await svc(root, ...line)).errors
  expect(await refusal('eject', 'app/Policies/PostPolicy.ts')).toContain('is yours already')
  expect(await refusal('eject', 'app/Nothing.ts')).toContain("svc writes no file 'app/Nothing.ts'")
  expect(await refusal('adopt', path)).toContain('neither ejected nor deleted')
  expect(textsOf(root)).toEqual(before)
})

test('a file that svc and the developer share is handed over, and never edited again', async () => {
  const api = 'routes/api.ts'
  expect((await svc(root, 'eject', 'package.json')).code).toBe(0)
  expect((await svc(root, 'eject', api)).code).toBe(0)
  fill(root, {
    [api]: '// all mine\n',
    'package.json': read('package.json').replace('"hono"', '"mine"'),
  })
  const mine = [read(api), read('package.json')]
  addField()
  expect((await svc(root, 'generate', '--force')).code).toBe(0)
  expect([read(api), read('package.json')]).toEqual(mine)
})

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fill, textsOf } from '../write/folder.js'
import { newProject, svc } from './project.js'

let root = ''
beforeEach(async () => {
  root = await newProject()
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const change = (path: string, from: string, to: string) =>
  fill(root, { [path]: read(path).replace(from, to) })
const rules = async (of: 'wrong' | 'advice') => {
  const { out } = await svc(root, 'doctor', '--json')
  const found: { rule: string; at: string }[] = JSON.parse(out)[of]
  return found.map(({ rule, at }) => `${rule} ${at}`)
}
const testOf = (name: string) => ({
  [`tests/${name}.test.ts`]: `import { ${name}Policy } from '../app/Policies/${name}Policy.js'\n`,
})

test('a project with tests of its policies is well', async () => {
  fill(root, { ...testOf('User'), ...testOf('Post') })
  const before = textsOf(root)
  expect(await svc(root, 'doctor')).toEqual({ code: 0, out: 'All is well.\n', errors: '' })
  expect(textsOf(root)).toEqual(before)
})

test('what hurts in production is named, with a fix', async () => {
  change('manifest/posts.ts', "title: 'title',", "title: 'title',\n  public: true,")
  change('manifest/posts.ts', "match: { published_at: 'datetime' }", "match: { title: 'partial' }")
  change('config/svc.ts', 'max_per_page: 100', 'max_per_page: 100_000')
  await svc(root, 'generate')
  fill(root, testOf('User'))
  const { code, out } = await svc(root, 'doctor')
  expect(code).toBe(0)
  expect(out).toContain("manifest/posts.ts  'posts' can be read without a token\n")
  expect(await rules('advice')).toEqual([
    'public manifest/posts.ts',
    'unindexed-filter manifest/posts.ts',
    'page-size config/svc.ts',
    'untested-policy app/Policies/PostPolicy.ts',
  ])
})

test('lock, base, deleted policies and outdated files are wrong', async () => {
  rmSync(join(root, 'app/Policies/PostPolicy.ts'))
  expect(await rules('wrong')).toContain('no-policy app/Policies/PostPolicy.ts')
  change(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    note: text().nullable(),',
  )
  expect(await rules('wrong')).toContain('outdated app/Models.ts')
  rmSync(join(root, 'svc.lock.json'))
  expect(await rules('wrong')).toContain('lock svc.lock.json')
  expect((await svc(root, 'doctor')).code).toBe(1)
})

test('a secret in version control is wrong', async () => {
  const key = ['AKIA', 'ABCDEFGHIJKLMNOP'].join('')
  fill(root, {
    'app/upload.ts': `\nconst key = '${key}'\n`,
    'app/mail.ts': 'const key = process.env.RESEND_KEY\n',
  })
  expect(await rules('wrong')).toEqual(['secret app/upload.ts:2'])
})

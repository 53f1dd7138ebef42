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

test('a project whose every route is tried is well, and so is one with tests of its policies', async () => {
  expect((await svc(root, 'doctor')).out).toBe('All is well.\n')
  rmSync(join(root, 'tests/authorization.test.ts'))
  expect(await rules('advice')).toEqual([
    'untested-policy app/Policies/UserPolicy.ts',
    'untested-policy app/Policies/PostPolicy.ts',
  ])
  fill(root, { ...testOf('User'), ...testOf('Post') })
  const before = textsOf(root)
  expect(await svc(root, 'doctor')).toEqual({ code: 0, out: 'All is well.\n', errors: '' })
  expect(textsOf(root)).toEqual(before)
})

test('what hurts in production is named, with a fix', async () => {
  change('manifest/posts.ts', "title: 'title',", "title: 'title',\n  public: true,")
  change('manifest/posts.ts', "match: { published_at: 'datetime' }", "match: { title: 'partial' }")
  change('config/svc.ts', 'max_per_page: 100', 'max_per_page: 100_000')
  change('manifest/index.ts', '  authorizationTests: true,\n', '')
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

test('policies that compare with a null that is written out are wrong, with their place and what to write', async () => {
  fill(root, {
    ...testOf('User'),
    ...testOf('Post'),
    'app/Policies/PostPolicy.ts': `import type { PolicyFor, PostModel } from '#app/Models.js'
import { any, not, self, sql } from '#runtime/policy/condition.js'

const drafts = { published_at: null }
const settings = { unit: null, at: { body: 5 } }

export const PostPolicy: PolicyFor<PostModel> = {
  show: (user) => any({ published_at: { not: null } }, { owner_id: user?.id ?? null }),
  store: (user) => user !== null && settings.unit === null,
  update: (user) => {
    if (user === null) return { owner: { is: null } }
    return not({ owner_id: { in: [user.id, null] } })
  },
  delete: () => sql\`\${self('published_at')} is \${null}\`,
}
`,
  })
  const { code, out } = await svc(root, 'doctor')
  expect(code).toBe(1)
  const at = (place: string) => `  app/Policies/PostPolicy.ts:${place}  `
  const column = (name: string) =>
    `    fix  { ${name}: { isNull: true } } for NULL, { isNull: false } for any value`
  const lines = [
    `${at('4:32')}'published_at' is compared with null, which admits no row`,
    column('published_at'),
    `${at('8:46')}'published_at' is compared with null, which admits no row`,
    column('published_at'),
    `${at('8:80')}'owner_id' is compared with null, which admits no row`,
    column('owner_id'),
    `${at('11:46')}'owner' is compared with null, which admits no row`,
    '    fix  { owner: { isNot: true } } for no record, { is: true } for any',
    `${at('12:44')}'owner_id' is compared with null, which admits no row`,
    column('owner_id'),
    `${at('14:50')}sql is compared with null, which admits no row`,
    "    fix  'is null' in the text of the sql",
  ]
  expect(out).toContain(['Wrong:', ...lines, ''].join('\n'))
  const generated = await svc(root, 'generate', '--no-compile')
  expect(generated.code).toBe(0)
  const title = 'Policies that ask for NULL without its word:'
  expect(generated.out).toContain(['', title, ...lines, ''].join('\n'))
})

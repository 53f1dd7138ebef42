import { readFileSync, renameSync, rmSync } from 'node:fs'
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

test('a key of a config that nobody reads is a problem with its place, and nothing is written', async () => {
  change('config/svc.ts', 'strict_queries: true', 'strict_querys: true')
  const before = textsOf(root)
  const line =
    read('config/svc.ts')
      .split('\n')
      .findIndex((each) => /strict_querys/.test(each)) + 1
  for (const command of ['doctor', 'generate']) {
    const { code, out, errors } = await svc(root, command)
    expect(code).toBe(1)
    expect(out + errors).toContain(
      `config/svc.ts:${line}:3  'strict_querys' is not a key of the config\n`,
    )
    expect(out + errors).toContain("  fix    'strict_queries'\n")
  }
  // Where it cannot be run, it is read: what it computes comes from a file that is not asked.
  change(
    'config/svc.ts',
    '\nexport const config',
    "\nconst [first] = [...(await import('./x.js')).y]\nexport const config",
  )
  expect((await svc(root, 'generate')).code).toBe(1)
  expect(textsOf(root)).toEqual({ ...before, 'config/svc.ts': read('config/svc.ts') })
})

test('what hurts in production is named, with a fix', async () => {
  const asked = "public: true,\n  aggregate: { groupBy: ['id', 'body'] },"
  change('manifest/posts.ts', "title: 'title',", `title: 'title',\n  ${asked}`)
  change('manifest/posts.ts', "match: { published_at: 'datetime' }", "match: { title: 'partial' }")
  change('config/svc.ts', 'max_per_page: 100', 'max_per_page: 100_000')
  change('manifest/index.ts', '  repositories', '  authorizationTests: false,\n  repositories')
  await svc(root, 'generate')
  fill(root, testOf('User'))
  const { code, out } = await svc(root, 'doctor')
  expect(code).toBe(0)
  expect(out).toContain("manifest/posts.ts  'posts' can be read without a token\n")
  expect(out).toContain("fix  indexes: [['body']] in 'posts', where it has many rows\n")
  expect(await rules('advice')).toEqual([
    'public manifest/posts.ts',
    'unindexed-filter manifest/posts.ts',
    'unindexed-group manifest/posts.ts',
    'page-size config/svc.ts',
    'untested-policy app/Policies/PostPolicy.ts',
  ])
  // However many are public, that is said once.
  change('manifest/users.ts', "title: 'name',", "title: 'name',\n  public: true,")
  await svc(root, 'generate')
  const both = (await svc(root, 'doctor')).out
  expect(both.split('without a token')).toHaveLength(2)
  expect(both).toContain("2 repositories can be read without a token: 'users', 'posts'\n")
})

test('a filter by a column of related records that has no index is named, with the line that makes one', async () => {
  const matched = "match: { 'owner.name': 'text', 'owner.id': 'array', 'owner.email': 'text' }"
  change('manifest/posts.ts', "match: { published_at: 'datetime' }", matched)
  change('manifest/users.ts', "sort: ['id', 'name']", "sort: ['id']")
  await svc(root, 'generate')
  expect(await rules('advice')).toEqual(['unindexed-filter manifest/posts.ts'])
  const { out } = await svc(root, 'doctor')
  expect(out).toContain("filtering 'posts' by 'owner.name' reads every row of 'users'\n")
  expect(out).toContain("indexes: [['name']] in 'users'\n")
  expect((await svc(root, 'describe', 'posts')).out).toContain(
    'filters by related records: owner.name, owner.id, owner.email',
  )
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

test('hooks that were renamed or deleted run no more, and generate, doctor and the server say so', async () => {
  const lost =
    'is gone, deleted or renamed: its hooks do not run, and what they compute is not served'
  change('manifest/posts.ts', "title: 'title',", "title: 'title',\n  hooks: true,")
  await svc(root, 'generate')
  renameSync(join(root, 'app/Hooks/PostHooks.ts'), join(root, 'app/Hooks/PostsHooks.ts'))
  expect((await svc(root, 'generate')).out).toContain(`app/Hooks/PostHooks.ts  (it ${lost}; `)
  expect(read('app/server.ts')).toContain(`log.warn(\n  'app/Hooks/PostHooks.ts ${lost}',\n)`)
  expect(await rules('wrong')).toContain('no-hooks app/Hooks/PostHooks.ts')
  const fix =
    'give PostsHooks.ts that name again; or `svc adopt app/Hooks/PostHooks.ts` writes it anew'
  expect((await svc(root, 'doctor')).out).toContain(`    fix  ${fix}\n`)
  renameSync(join(root, 'app/Hooks/PostsHooks.ts'), join(root, 'app/Hooks/PostHooks.ts'))
  await svc(root, 'generate')
  expect((await svc(root, 'doctor')).out).not.toContain('no-hooks')
  expect(read('app/Repositories/PostRepository.ts')).toContain('PostHooks')
  expect(read('app/server.ts')).not.toContain('PostHooks')
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
  const title = 'Policies that compare with NULL and do not use isNull:'
  expect(generated.out).toContain(['', title, ...lines, ''].join('\n'))
})

test('scripts of package.json that were edited before svc had a first step in them are named, with the line to paste', async () => {
  const now = { '.svc/base.txt': read('.svc/base.txt'), 'package.json': read('package.json') }
  const build = 'tsc -p tsconfig.build.json --checkers 1'
  // As svc wrote them once: a script of their own before them.
  for (const [path, text] of Object.entries(now)) {
    const then = text.replace(
      `    "build": "node scripts/prisma-client.js --optional && ${build}"`,
      `    "prebuild": "node scripts/prisma-client.js --optional",\n    "build": "${build}"`,
    )
    expect(then).not.toBe(text)
    fill(root, { [path]: then })
  }
  change('package.json', `"${build}"`, `"${build} && cp -r assets dist"`)
  expect(await rules('advice')).toEqual(['script package.json'])
  const fix = `"build": "node scripts/prisma-client.js --optional && ${build} && cp -r assets dist"`
  const said =
    "package.json  the script 'build' is yours, and lacks svc's first step: Prisma's client may be missing, or old"
  expect((await svc(root, 'generate')).out).toContain(`\n${said}.\n  fix    ${fix}\n`)
  expect(read('package.json')).not.toContain('prebuild')
  expect((await svc(root, 'generate')).out).not.toContain('first step')
  expect((await svc(root, 'doctor')).out).toContain(`  ${said}\n    fix  ${fix}\n`)
  change('package.json', `"build": "${build}`, fix.slice(0, fix.indexOf(' && cp')))
  expect((await svc(root, 'doctor')).out).toBe('All is well.\n')
})

test('a policy whose SQL reads the trash of another repository is named, and one that does not is not', async () => {
  change('manifest/posts.ts', "title: 'title',", "title: 'title',\n  softDeletes: true,")
  await svc(root, 'generate')
  const policy = 'app/Policies/UserPolicy.ts'
  const show = (fragment: string) => {
    const imported = "import { sql } from '#runtime/policy/condition.js'\n"
    const text = read(policy).replace(/^import \{ sql.*\n/, '')
    const answer = `show: (user) => sql\`id = \${user?.id ?? null} ${fragment}\`,`
    fill(root, { [policy]: imported + text.replace(/show: .*,$/m, answer) })
  }
  const found = async () => (await rules('advice')).filter((each) => each.startsWith('policy-'))
  const author = 'or exists (select 1 from posts p where p.owner_id = users.id'
  show(`${author})`)
  const [one = ''] = await found()
  const [, line] = /^policy-forgets-trash app\/Policies\/UserPolicy\.ts:(\d+)$/.exec(one) ?? []
  expect(read(policy).split('\n')[Number(line) - 1]).toContain('sql`id')
  const { out } = await svc(root, 'doctor')
  expect(out).toContain(
    "this sql reads the table 'posts', and so what is in the trash of 'posts'\n",
  )
  expect(out).toContain('    fix  and deleted_at is null\n')
  show(`or exists (select 1 from users as u, posts where owner_id = u.id)`)
  expect(await found()).toHaveLength(1)
  show(`or exists (select 1 from users u join "posts" on owner_id = u.id)`)
  expect(await found()).toHaveLength(1)
  show(`${author} and p.deleted_at is null)`)
  expect(await found()).toEqual([])
  show(`or exists (select 1 from posts_read r where r.posts = 1)`)
  expect(await found()).toEqual([])
})
test('a gate that a user can open for themselves is named, and a relation that one closes', async () => {
  change('manifest/posts.ts', "belongsTo('users', { filledBy: 'user' })", "belongsTo('users')")
  change('manifest/posts.ts', 'textarea(),', 'textarea(),\n    secret: text().nullable(),')
  await svc(root, 'generate')
  const policy = 'app/Policies/PostPolicy.ts'
  const gates = (members: string) =>
    fill(root, {
      [policy]: read(policy)
        .replace(/^ {2}can\w+: .*\n/gm, '')
        .replace('  show: ', `${members}  show: `),
    })
  const found = async () => (await rules('advice')).filter((each) => each.startsWith('gate-'))
  const own = '(user) => user !== null && { any: [{ owner_id: user.id }, { id: 1 }] }'
  gates(`  canSee: { secret: ${own} },\n`)
  const line =
    read(policy)
      .split('\n')
      .findIndex((each) => each.includes('canSee')) + 1
  expect(await found()).toEqual([`gate-can-be-opened ${policy}:${line}`])
  expect((await svc(root, 'doctor')).out).toContain(
    `  ${policy}:${line}  canSee.secret reads 'owner_id', and whoever may update a record may write 'owner_id' and then see the value
    fix  canUpdate: { owner_id: … }, or make it .readonly() or filledBy in the manifest
`,
  )
  gates(`  canSee: { secret: ${own} },\n  canUpdate: { owner_id: () => false },\n`)
  expect(await found()).toEqual([])
  gates('  canSee: { secret: (user) => ({ owner: { is: { name: user?.name } } }) },\n')
  expect(await found()).toEqual([`gate-can-be-opened ${policy}:${line}`])
  gates(`  canUpdate: { secret: ${own} },\n`)
  expect(await found()).toEqual([`gate-can-be-opened ${policy}:${line}`])
  expect((await svc(root, 'doctor')).out).toContain(
    "canUpdate.secret reads 'owner_id', and whoever may update a record may write 'owner_id' and then write the value",
  )
  gates(`  canUpdate: { secret: ${own}, owner_id: () => false },\n`)
  expect(await found()).toEqual([])
  gates('  canSee: { secret: (user) => user !== null },\n')
  expect(await found()).toEqual([])
  gates('  canSee: { owner_id: (user) => ({ id: user?.id }) },\n')
  expect((await svc(root, 'doctor')).out).toContain(
    "canSee.owner_id answers a condition, so nobody can include, filter by or reach 'owner'\n",
  )
  change('manifest/posts.ts', "belongsTo('users')", "belongsTo('users', { filledBy: 'user' })")
  await svc(root, 'generate')
  gates(`  canSee: { secret: ${own} },\n`)
  expect(await found()).toEqual([])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fill } from '../write/folder.js'
import { newProject, plainProject, svc } from './project.js'

test('svc describe says what a repository is, in words', async () => {
  const root = await newProject('--example', 'blog')
  const { code, out } = await svc(root, 'describe', 'companies')
  expect(code).toBe(0)
  expect(out).toContain('companies  Company, table companies, manifest/companies.ts\n')
  expect(out).toContain('  fields   name text max 120\n')
  expect(out).toContain('users belongsToMany users (company_id, through company_user)\n')
  expect(out).toContain('app/Policies/CompanyPolicy.ts\n')
  expect(out).not.toContain('posts  Post')
})

test('svc describe says what a feature adds', async () => {
  const root = await newProject('--example', 'blog')
  const index = join(root, 'manifest/index.ts')
  const text = readFileSync(index, 'utf8')
  fill(root, {
    'manifest/index.ts': text.replace('database:', "timestampsBy: ['posts'],\n  database:"),
  })
  const { code, out } = await svc(root, 'describe', 'posts')
  expect(code).toBe(0)
  expect(out).toContain('created_by belongsTo users (created_by_id), of timestampsBy\n')
  const { timestampsBy } = JSON.parse((await svc(root, 'describe', '--json')).out)
  expect(timestampsBy).toEqual(['posts'])
})

test('svc describe says what a repository has of features', async () => {
  const root = await plainProject()
  const path = join(root, 'manifest/posts.ts')
  const options = "softDeletes: { keepDays: 30 },\n  versioned: 'required',"
  const text = readFileSync(path, 'utf8').replace(
    "title: 'title',",
    `title: 'title',\n  ${options}`,
  )
  fill(root, { 'manifest/posts.ts': text })
  const { out } = await svc(root, 'describe', 'posts')
  expect(out).toContain('  has      versions (version), which every change must send\n')
  expect(out).toContain('           a trash (deleted_at), for 30 days\n')
  expect((await svc(root, 'describe', 'users')).out).not.toContain('  has ')
})

test('svc describe names all files of a repository that are yours', async () => {
  const root = await plainProject()
  const path = join(root, 'manifest/posts.ts')
  const text = readFileSync(path, 'utf8')
  const asked = "filters: { popular: filter('boolean') },\n  title: 'title',"
  const edited = text.replace("title: 'title',", asked).replace('import {', 'import { filter,')
  fill(root, { 'manifest/posts.ts': edited })
  const { out } = await svc(root, 'describe', 'posts')
  const [, yours] = out.split('  yours    ')
  expect(yours?.trim().split(/\n +/)).toEqual([
    'app/Policies/PostPolicy.ts',
    'app/Filters/PostFilters.ts',
  ])
  expect((await svc(root, 'describe', 'users')).out).not.toContain('app/Filters')
})

test('svc describe and svc routes say what a repository takes at once', async () => {
  const root = await newProject('--example', 'blog')
  const posts = join(root, 'manifest/posts.ts')
  const text = readFileSync(posts, 'utf8')
  const aggregate = "aggregate: { groupBy: ['published_at'], of: ['id'] }"
  const asked = `repository({\n  bulk: { max: 50 },\n  versioned: true,\n  ${aggregate},\n`
  fill(root, { 'manifest/posts.ts': text.replace('repository({\n', asked) })
  const { code, out } = await svc(root, 'describe', 'posts')
  expect(code).toBe(0)
  expect(out).toContain('           lists of 50 records at most in one request\n')
  expect(out).toContain('           aggregates by published_at of id\n')
  expect((await svc(root, 'describe', 'users')).out).not.toContain('bulk')
  await svc(root, 'generate')
  const routes = (await svc(root, 'routes')).out
    .split('\n')
    .filter((line) => /\/(bulk|aggregate)\b/.test(line))
  expect(routes.map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
    'POST /api/svc/posts/bulk',
    'PATCH /api/svc/posts/bulk',
    'POST /api/svc/posts/bulk/update',
    'POST /api/svc/posts/bulk/delete',
    'DELETE /api/svc/posts/bulk/delete',
    'GET /api/svc/posts/aggregate',
  ])
})

test('svc describe --json is the whole checked manifest', async () => {
  const root = await newProject('--example', 'blog')
  const { out } = await svc(root, 'describe', '--json')
  const { database, auth, repositories, pivots } = JSON.parse(out)
  expect([database, auth]).toEqual(['sqlite', 'users'])
  const keys = repositories.map(({ key }: { key: string }) => key)
  const index = readFileSync(join(root, 'manifest/index.ts'), 'utf8')
  expect(keys).toEqual(index.match(/repositories: \{ ([^}]*) \}/)?.[1]?.split(', '))
  expect(pivots.map(({ table }: { table: string }) => table)).toContain('company_user')
  const [posts] = JSON.parse((await svc(root, 'describe', 'posts', '--json')).out).repositories
  expect(posts).toMatchObject({ key: 'posts', table: 'posts', source: 'manifest/posts.ts' })
})

test('an unknown repository and a wrong manifest are named', async () => {
  const root = await newProject()
  const unknown = await svc(root, 'describe', 'post')
  expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining('svc describe posts')])
  fill(root, { 'manifest/index.ts': 'export default 1\n' })
  const wrong = await svc(root, 'describe', '--json')
  expect([wrong.code, JSON.parse(wrong.out)]).toEqual([1, { problems: [expect.anything()] }])
})

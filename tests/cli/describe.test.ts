import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fill } from '../write/folder.js'
import { newProject, svc } from './project.js'

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

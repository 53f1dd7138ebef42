/** `svc policies test`, on the small project of `svc new`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TeethFound } from '../../generator/features/policy-questions/commands/teeth/teeth-lines.js'
import { run } from '../compile/run.js'
import { linkDependencies, savedProject, svc } from './project.js'

const policy = `
import type { PolicyFor, PostModel } from '#app/Models.js'
import { any } from '#runtime/policy/condition.js'

export const PostPolicy: PolicyFor<PostModel> = {
  show: (user) => any({ published_at: { isNull: false } }, { owner_id: user?.id }),
  store: (user) => user !== null,
  update: (user) => ({ owner_id: user?.id, title: { in: ['a', 'b'] } }),
  updateTo: () => true,
  delete: (user) => ({ owner_id: user?.id ?? undefined }),
  canUpdate: { title: (user) => (user?.name ?? undefined) !== undefined },
}
`

/** Without rows that would tell: of one's own, and published ones. */
const few = 'posts: async () => ({ other: await makePost() }),'

test('what no test notices is named, and what it says to paste closes it', async () => {
  const root = await savedProject('--policies', 'owner')
  linkDependencies(root)
  const [policyFile, rolesFile] = ['app/Policies/PostPolicy.ts', 'tests/roles.ts'].map((path) =>
    join(root, path),
  ) as [string, string]
  writeFileSync(policyFile, policy)
  const roles = readFileSync(rolesFile, 'utf8').replace('{ makeUser }', '{ makePost, makeUser }')
  const write = async (world: string, role = '') => {
    const text = roles.replace('World = {}', `World = { ${world} }`)
    writeFileSync(rolesFile, text.replace('  guest: ', `  ${role}\n  guest: `))
    const line = ['run', '--update', 'tests/authorization.test.ts']
    const { code, output } = await run('vitest', line, root, { CI: '' })
    expect(code, output).toBe(0)
  }
  const tried = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(root, 'policies', 'test', '--json', ...line)
    expect(errors).toBe('')
    return { code, found: JSON.parse(out) as TeethFound }
  }

  await write(few)
  const first = await tried()
  expect(first.code).toBe(1)
  const kinds = new Set(first.found.unnoticed.map(({ weakening }) => weakening.kind))
  expect(kinds).toEqual(new Set(['true', 'gate', 'dropped', 'negated', 'any', 'undefined']))
  // `undefined` and NULL are the same in a condition, and the database says so.
  expect(first.found.equal.map(({ weakening }) => weakening.rule)).toContain('delete')
  const [place] = first.found.unnoticed
  expect(place?.weakening).toMatchObject({ file: 'app/Policies/PostPolicy.ts', line: 6 })
  expect(readFileSync(policyFile, 'utf8')).toBe(policy)
  // What is known is not tried again.
  expect((await tried()).found).toEqual(first.found)

  const lines = first.found.unnoticed.flatMap(({ known }) =>
    'telling' in known &&
    known.telling.kind === 'request' &&
    known.telling.file === 'tests/roles.ts'
      ? [known.telling.line]
      : [],
  )
  const rows = lines.flatMap(
    (line) => /^posts: async \(user\) => \(\{ (.*) \}\),$/.exec(line)?.[1] ?? [],
  )
  const role = lines.find((line) => line.startsWith("'user without name'")) ?? ''
  const own = "'own': await makePost({ owner_id: user.id, title: 'a' })"
  const world = [...new Set([...rows, own])].join(', ')
  await write(`posts: async (user) => ({ other: await makePost(), ${world} }),`, role)
  const second = await tried('--minutes', '5')
  expect(second.found.unnoticed.map(({ weakening }) => weakening)).toEqual([])
  expect(second.code).toBe(0)
  expect(existsSync(join(root, '.svc/teeth/.gitignore'))).toBe(true)
}, 600_000)

test('what cannot be tried is one sentence, and exits with 2', async () => {
  const root = await savedProject('--policies', 'owner')
  linkDependencies(root)
  const { code, out } = await svc(root, 'policies', 'test')
  expect({ code, out }).toEqual({
    code: 2,
    out: 'tests/authorization.md is not there: run `npm test` once, read what it wrote, and commit it.\n',
  })
})

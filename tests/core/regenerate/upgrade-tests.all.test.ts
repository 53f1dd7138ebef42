import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runs } from '../../support/runs.js'
import { typeCheck } from '../../support/type-check.js'
import { checkout, emptyFolder, linkDependencies, svc } from '../cli/project.js'
import { run } from '../compile/run.js'
import { fill, textsOf, type Texts } from '../write/folder.js'

/**
 * The tests of a small project as svc wrote them while all of them stood in it: manifest, policies, routes and tests by path,
 * with roles of its owner, rows and routes, and the matrix that those tests wrote.
 */
const archive = join(checkout, 'fixtures/upgrade/tested-10.0.0.json.br')

const ownTest = `import { expect, test } from 'vitest'
import { listIds, read, type Send, sendAsNobody, signIn } from './client.js'
import type { Key } from './matrix/decisions.js'

const path = (key: Key) => \`/api/svc/\${key}\`

test('mine', async () => {
  const { user, send }: { user: { id: number }; send: Send } = await signIn()
  expect(await read<object>(await send('GET', path('posts')))).toHaveProperty('data')
  expect(await listIds(send, path('users'))).toEqual([String(user.id)])
  expect((await sendAsNobody('GET', path('users'))).status).toBe(401)
})
`

function projectOfThen() {
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  const root = emptyFolder()
  const texts: Texts = JSON.parse(brotliDecompressSync(readFileSync(archive)).toString('utf8'))
  fill(root, texts)
  linkDependencies(root)
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const edit = (path: string, from: string, to: string) => {
    if (!read(path).includes(from)) throw new Error(`${path} has no '${from}'`)
    fill(root, { [path]: read(path).replace(from, to) })
  }
  return { root, read, edit }
}

test('tests that stood in a project give way to a library, and what their owner wrote keeps its place and meaning', async () => {
  const { root, read, edit } = projectOfThen()
  edit('tests/edges.ts', "name: ['', awkward,", "name: ['!', awkward,")
  edit('tests/repositories.ts', 'await makePost(),', "await makePost({ title: 'Other' }),")
  edit('tests/factories.ts', "title: 'Title'", "title: 'Any title'")
  edit('tests/matrix/cells.ts', 'export function', '/** Mine. */\nexport function')
  fill(root, { 'tests/own.test.ts': ownTest })
  const before = textsOf(root)
  const rolesOfThen = read('tests/roles.ts')

  const { code, out } = await svc(root, 'generate')
  expect(code, out).toBe(0)
  const lines = out.split('\n').filter((line) => /^ {2}(merge|update|orphan) .* tests\//.test(line))
  const follows = '(its imports follow files that moved)'
  expect(lines).toEqual([
    ...[
      'authorization.test',
      'client',
      'contract.test',
      'invariants.test',
      'setup',
      'values.test',
    ].map((name) => `  update    tests/${name}.ts`),
    `  merge     tests/own.test.ts  ${follows}`,
    '  merge     tests/repositories.ts',
    `  merge     tests/roles.ts  ${follows}`,
    '  orphan    tests/edges.ts  (edited, and no longer in the manifest)',
    '  orphan    tests/matrix/cells.ts  (edited, and no longer in the manifest)',
  ])
  // What was edited in the middle of it stays, for its owner to look at and to delete.
  expect(out).toContain('1 line of yours no longer compiles:\n  tests/matrix/cells.ts:')
  rmSync(join(root, 'tests/matrix'), { recursive: true })
  expect(typeCheck(root)).toBe('')
  expect(read('tests/repositories.ts')).toContain("await makePost({ title: 'Other' }),")
  expect(read('tests/factories.ts')).toContain("title: 'Any title'")
  expect(read('tests/roles.ts')).toBe(rolesOfThen.replace('./matrix/types.js', './repositories.js'))
  expect(readdirSync(join(root, 'tests'))).not.toContain('contract.ts')

  if (runs(1) > 1) await decidesAsThen()

  for (const path of ['tests/authorization.md', 'tests/matrix/cells.ts']) {
    fill(root, { [path]: before[path] ?? '' })
  }
  expect((await svc(root, 'undo')).code).toBe(0)
  expect(textsOf(root)).toEqual(before)

  /** They say the same of who may do what, to the byte, but for routes that are no more: CI writes nothing. */
  async function decidesAsThen(): Promise<void> {
    const decided = (before['tests/authorization.md'] ?? '').replaceAll(
      /^\| `(?:PUT|PATCH|DELETE) \/api\/svc\/posts\/:id\/owner\/.*\n/gm,
      '',
    )
    fill(root, { 'tests/authorization.md': decided })
    const { code: failed, output } = await run('vitest', ['run'], root, { CI: '1' })
    expect(failed, output).toBe(0)
    expect(read('tests/authorization.md')).toBe(decided)
  }
})

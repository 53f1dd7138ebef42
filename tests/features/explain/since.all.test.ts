/** `svc policies test` of a pull request: what is other than at a Git ref, and until the time is over. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { MutationResult } from '../../../generator/features/explain/commands/mutation/mutation-lines.js'
import { makeExample } from '../../core/cli/example.js'
import { checkout, linkDependencies, savedProject, svc } from '../../core/cli/project.js'
import { run } from '../../core/compile/run.js'
import { toldOn } from '../../support/databases.js'
import { runs } from '../../support/runs.js'

const policy = (update: string, remove: string) => `
import type { PolicyFor, PostModel } from '#app/Models.js'

export const PostPolicy: PolicyFor<PostModel> = {
  show: (user) => user !== null,
  store: (user) => user !== null,
  update: (user) => (${update}),
  delete: (user) => (${remove}),
}
`

const own = '{ owner_id: user?.id }'

function committed(root: string): void {
  const git = (...line: readonly string[]) =>
    execFileSync('git', ['-c', 'user.email=a@b.cd', '-c', 'user.name=A', ...line], { cwd: root })
  git('init', '-q')
  git('add', 'app')
  git('commit', '-qm', 'before')
}

test.each(runs(1) > 1 ? (['sqlite'] as const) : [])(
  'a hole in a rule about the trash is named, with its request, on %s',
  async (database) => {
    const root = await savedProject('--policies', 'owner', '--database', database)
    linkDependencies(root)
    const manifest = join(root, 'manifest/posts.ts')
    const words = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, words.replace(/^ {2}fields:/m, '  softDeletes: true,\n  fields:'))
    const generated = await svc(root, 'generate', '--no-compile')
    expect([generated.code, generated.out]).toEqual([0, expect.any(String)])
    committed(root)
    const file = join(root, 'app/Policies/PostPolicy.ts')
    const text = readFileSync(file, 'utf8')
    const restore = `restore: (user) => ({ owner_id: user?.id, title: { not: 'kept' } }),`
    writeFileSync(file, text.replace(/^ {2}restore: .*/m, `  ${restore}`))
    expect(readFileSync(file, 'utf8')).toContain(restore)
    const line = ['run', 'tests/authorization.test.ts', '--update']
    const written = await run('vitest', line, root, { CI: '' })
    expect(written.code, written.output).toBe(0)
    const { code, out } = await svc(root, 'policies', 'test', '--since', 'HEAD')
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(`restore without title: { not: 'kept' }
  svc knows no test that kills it: POST /api/svc/posts/:id/restore. Try it in a test of your own.`),
    ])
  },
)

/** What it asks of the database is proved in `tests/core/kernel`; test:long has both. */
describe.each(toldOn('sqlite'))('svc policies test on %s', (name) => {
  test('tries what a change changed, goes on where its time was over, and says what is left', async () => {
    vi.stubEnv('TEST_DATABASE_URL', `${inject('postgres')}postgres`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const root = await savedProject('--policies', 'owner', '--database', name)
    linkDependencies(root)
    const file = join(root, 'app/Policies/PostPolicy.ts')
    writeFileSync(file, policy(own, own))
    committed(root)
    const changed = policy(own, "{ owner_id: user?.id, title: { not: 'kept' } }")
    writeFileSync(file, changed)
    const line = ['run', 'tests/authorization.test.ts', '--update']
    const written = await run('vitest', line, root, { CI: '' })
    expect(written.code, written.output).toBe(0)

    const tried = async (...words: readonly string[]) => {
      const { code, out } = await svc(root, 'policies', 'test', '--json', ...words)
      const found = out.startsWith('{') ? (JSON.parse(out) as MutationResult) : null
      return { code, out, found }
    }
    const placesOf = (found: MutationResult | null) =>
      [...(found?.survived ?? []), ...(found?.equivalent ?? [])].map(({ mutant }) => mutant.rule)
    const none = await tried('--since', 'HEAD', '--minutes', '0.00001')
    expect([none.code, none.found]).toEqual([
      2,
      { killed: 0, equivalent: [], survived: [], untried: expect.any(Number), file: null },
    ])
    const left = none.found?.untried ?? 0
    expect(left).toBeGreaterThan(3)
    const plain = await svc(root, 'policies', 'test', '--since', 'HEAD', '--minutes', '0.00001')
    expect([plain.code, plain.out]).toEqual([
      2,
      `0 of ${left} mutants were killed, ${left} were not tried in time (run it again to continue), none survived.\n`,
    ])

    const whole = await tried('--since', 'HEAD')
    const { killed = 0, survived = [], equivalent = [], untried } = whole.found ?? {}
    expect([whole.code, untried]).toEqual([1, 0])
    expect(killed + survived.length + equivalent.length).toBe(left)
    expect(killed).toBeGreaterThan(0)
    // No row of the matrix is called so.
    expect(new Set(placesOf(whole.found))).toEqual(new Set(['delete']))
    expect(survived.map(({ mutant }) => mutant.kind)).toContain('dropped')

    writeFileSync(file, policy(own, own))
    const same = await tried('--since', 'HEAD')
    expect([same.code, same.found]).toEqual([
      0,
      { killed: 0, equivalent: [], survived: [], untried: 0, file: null },
    ])
    expect(await tried('--since', 'nothing')).toMatchObject({
      code: 2,
      out: expect.stringContaining("Git knows no commit 'nothing' here."),
    })
    expect(await tried('--minutes', 'soon')).toMatchObject({
      code: 2,
      out: expect.stringContaining("--minutes takes a number above 0, and not 'soon'."),
    })
  })
})

test('the hole that the page about questions shows is what svc says of it', async () => {
  const root = await makeExample('shop', 'sqlite')
  rmSync(join(root, 'tests/orders.test.ts'))
  const mine = join(root, 'tests/policies.test.ts')
  const nothing = "import { test } from 'vitest'\ntest('nothing', () => {})\n"
  writeFileSync(mine, nothing)
  const file = join(root, 'app/Policies/OrderPolicy.ts')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/^ {2}store: .*/m, '  store: () => false,'))
  committed(root)
  writeFileSync(file, text)
  const page = readFileSync(join(checkout, 'docs/explain.md'), 'utf8')
  const [, shown = ''] = /prints, among others:\n\n((?: {4}.*\n)+)/.exec(page) ?? []
  const [, ofFile = ''] = /for each such request:\n\n((?: {4}.*\n)+)/.exec(page) ?? []
  const { code, out } = await svc(root, 'policies', 'test', '--since', 'HEAD')
  expect(code, out).toBe(1)
  const [example, written] = [shown, ofFile].map((each) => each.replaceAll(/^ {4}/gm, ''))
  expect(out).toContain(`\n\n${example}`)
  expect(out).toContain(`\n${written}`)

  // It is written beside what is there, passes, and notices each hole of this rule.
  const [, pasted = ''] = /(\/\/ Yours: [^]*)$/.exec(out) ?? []
  const wrote = await svc(root, 'policies', 'test', '--since', 'HEAD', '--write')
  expect([wrote.code, wrote.out]).toEqual([
    1,
    expect.stringContaining('The tests that kill them are in tests/policies-2.test.ts: read it.'),
  ])
  expect(readFileSync(mine, 'utf8')).toBe(nothing)
  expect(readFileSync(join(root, 'tests/policies-2.test.ts'), 'utf8')).toBe(pasted)
  const passed = await run('vitest', ['run', 'tests/policies-2.test.ts'], root, { CI: '1' })
  expect(passed.code, passed.output).toBe(0)
  // As long as all before it, and as `svc policies test` tries any test.
  if (runs(1) === 1) return
  const closed = await svc(root, 'policies', 'test', '--since', 'HEAD')
  expect([closed.code, closed.out]).toEqual([0, expect.stringContaining('none survived')])
})

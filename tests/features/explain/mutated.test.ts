/** `svc policies test`, on a project of somebody's own. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MutationResult } from '../../../generator/features/explain/commands/mutation/mutation-lines.js'
import { library } from '../../core/cli/library.js'
import { linkDependencies, newProject, savedProject, svc } from '../../core/cli/project.js'
import { run } from '../../core/compile/run.js'
import { runs } from '../../support/runs.js'

async function makeLibrary(): Promise<string> {
  const root = await newProject('--policies', 'owner')
  linkDependencies(root)
  rmSync(join(root, 'manifest/posts.ts'))
  const write = (isWritten: (path: string) => boolean) => {
    for (const [path, text] of Object.entries(library)) {
      if (isWritten(path)) writeFileSync(join(root, path), text)
    }
  }
  write((path) => path.startsWith('manifest/'))
  expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
  write((path) => !path.startsWith('manifest/'))
  expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
  const saved = await svc(root, 'migrate', 'save', 'init')
  expect(saved.code, saved.out).toBe(0)
  return root
}

/** In the usual run, `policies-since` does it with one rule. */
test.each(runs(1) > 1 ? ['a library'] : [])(
  'what no test of %s notices is named, and what it says to paste closes it',
  async () => {
    const root = await makeLibrary()
    const before = readFileSync(join(root, 'app/Policies/LoanPolicy.ts'), 'utf8')
    const matrix = ['run', 'tests/authorization.test.ts', '--update']
    const written = await run('vitest', matrix, root, { CI: '' })
    expect(written.code, written.output).toBe(0)
    const tried = async () => {
      const { code, out, errors } = await svc(root, 'policies', 'test', '--json', '--minutes', '60')
      expect(errors).toBe('')
      return { code, found: JSON.parse(out) as MutationResult }
    }

    const first = await tried()
    expect(first.code).toBe(1)
    const { survived, equivalent } = first.found
    const kinds = new Set(survived.map(({ mutant }) => mutant.kind))
    expect(kinds).toEqual(new Set(['true', 'gate', 'dropped', 'negated', 'any']))
    // `undefined` and NULL are the same in a condition, and the database says so.
    expect(equivalent.map(({ mutant }) => mutant.kind)).toContain('undefined')
    const untold = survived.filter(
      ({ known }) => 'missingTest' in known && !('test' in known.missingTest),
    )
    expect(untold).toEqual([])
    expect(readFileSync(join(root, 'app/Policies/LoanPolicy.ts'), 'utf8')).toBe(before)
    // What is known is not tried again.
    const { code, out } = await svc(root, 'policies', 'test')
    expect(code).toBe(1)

    // Pasted to the letter.
    const [, path = '', text = ''] = /\nTests .* for (\S+) \(.*\):\n\n([^]*)$/.exec(out) ?? []
    expect(path).toBe('tests/policies.test.ts')
    writeFileSync(join(root, path), text)
    const strict = { extends: './tsconfig.json', include: ['app', 'config', 'tests'] }
    writeFileSync(join(root, 'tsconfig.pasted.json'), JSON.stringify(strict))
    const compiled = await run('tsc', ['-p', 'tsconfig.pasted.json'], root)
    expect(compiled.code, compiled.output).toBe(0)
    // The client of Prisma is not made here, which tests/values.test.ts needs.
    const passed = await run('vitest', ['run', path, 'tests/authorization.test.ts'], root)
    expect(passed.code, passed.output).toBe(0)

    const second = await tried()
    expect(second.found.survived.map(({ mutant }) => mutant)).toEqual([])
    expect(second.code).toBe(0)
    expect(second.found.equivalent).toHaveLength(equivalent.length)
  },
)

test('what cannot be tried is one sentence, and exits with 2', async () => {
  const root = await savedProject('--policies', 'owner')
  linkDependencies(root)
  const { code, out } = await svc(root, 'policies', 'test')
  expect({ code, out }).toEqual({
    code: 2,
    out: 'tests/authorization.md is missing: run `npm test` once, read the file that it wrote, and commit it.\n',
  })
})

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlocked } from '../../../generator/plan/status.js'
import { undo } from '../../../generator/write/run/undo.js'
import { runs } from '../../support/runs.js'
import { fill, folder, target, textsOf, type Texts } from './folder.js'
import { run, statuses } from './run.js'

const paths = [
  'app/Models.ts',
  'app/Policies/PostPolicy.ts',
  'app/Policies/TagPolicy.ts',
  'app/Http/Controllers/PostController.ts',
  'config/svc.ts',
  'README.md',
]

const line = fc.integer({ min: 0, max: 12 }).map((number) => `// ${number}`)
const text = fc.array(line, { maxLength: 14 }).map((lines) => `${lines.join('\n')}\n`)

/** A project as svc renders it: some of the paths, each with some lines. */
const project: fc.Arbitrary<Texts> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...paths), text), { selector: ([path]) => path })
  .map((entries) => Object.fromEntries(entries))

type Edit =
  | { readonly kind: 'insert'; readonly path: string; readonly at: number; readonly mark: string }
  | { readonly kind: 'cut'; readonly path: string; readonly at: number }
  | { readonly kind: 'windows' | 'delete'; readonly path: string }

const path = fc.constantFrom(...paths)
const at = fc.nat(14)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert'),
      path,
      at,
      mark: fc.uuid().map((id) => `// mine ${id}`),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cut'), path, at }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('windows' as const, 'delete' as const), path }),
  },
)

function perform(root: string, edit: Edit): void {
  const before = textsOf(root)[edit.path]
  if (before === undefined) return
  if (edit.kind === 'delete') return rmSync(join(root, edit.path))
  const lines = before.split('\n')
  if (edit.kind === 'insert') lines.splice(Math.min(edit.at, lines.length - 1), 0, edit.mark)
  if (edit.kind === 'cut') lines.splice(edit.at, 1)
  const after = edit.kind === 'windows' ? before.replaceAll(/\r?\n/g, '\r\n') : lines.join('\n')
  fill(root, { [edit.path]: after })
}

/** Every line a developer added, with its file. */
const marks = (root: string) =>
  Object.entries(textsOf(root)).flatMap(([path, content]) =>
    content
      .split(/\r?\n/)
      .filter((line) => line.startsWith('// mine'))
      .map((line) => `${path}: ${line}`),
  )

const edits = fc.array(edit, { maxLength: 8 })
const settings = { numRuns: runs(60) }

test('whatever was edited and whatever svc renders next, no line of the developer is lost', async () => {
  await fc.assert(
    fc.asyncProperty(project, edits, project, async (first, changes, second) => {
      const root = folder()
      await run(target(root), first)
      for (const change of changes) perform(root, change)
      const mine = marks(root)
      await run(target(root), second)
      expect(marks(root)).toEqual(expect.arrayContaining(mine))
    }),
    settings,
  )
})

test('with --force, a line that is lost was in a file the report names, and undo brings it back', async () => {
  await fc.assert(
    fc.asyncProperty(project, edits, project, async (first, changes, second) => {
      const root = folder()
      await run(target(root), first)
      for (const change of changes) perform(root, change)
      const before = textsOf(root)
      const mine = marks(root)
      const { plan, changes: written } = await run(target(root), second, { force: true })
      const named = plan.files.filter(({ note }) => note === 'replaced').map(({ path }) => path)
      const lost = mine.filter((mark) => !marks(root).includes(mark))
      expect(lost.filter((mark) => !named.some((path) => mark.startsWith(`${path}: `)))).toEqual([])
      if (written.length > 0) undo(target(root))
      expect(textsOf(root)).toEqual(before)
    }),
    settings,
  )
})

test.each(['ours', 'theirs', 'markers'] as const)(
  'with --conflicts=%s, a line that is lost was in a file the report names, and undo brings it back',
  async (conflicts) => {
    await fc.assert(
      fc.asyncProperty(project, edits, project, async (first, changes, second) => {
        const root = folder()
        await run(target(root), first)
        for (const change of changes) perform(root, change)
        const before = textsOf(root)
        const mine = marks(root)
        const { plan, changes: written } = await run(target(root), second, { conflicts })
        const named = plan.files.filter(({ note }) => note === 'replaced').map(({ path }) => path)
        const lost = mine.filter((mark) => !marks(root).includes(mark))
        if (conflicts !== 'theirs') expect(lost).toEqual([])
        expect(lost.filter((mark) => !named.some((path) => mark.startsWith(`${path}: `)))).toEqual(
          [],
        )
        if (written.length > 0) undo(target(root))
        expect(textsOf(root)).toEqual(before)
      }),
      { numRuns: runs(30) },
    )
  },
)

test('a second run has nothing to do', async () => {
  await fc.assert(
    fc.asyncProperty(project, edits, project, async (first, changes, second) => {
      const root = folder()
      await run(target(root), first)
      for (const change of changes) perform(root, change)
      await run(target(root), second)
      const after = textsOf(root)
      const again = await run(target(root), second)
      expect(again.changes).toEqual([])
      expect(textsOf(root)).toEqual(after)
      const busy = statuses(again).filter((status) => /^(create|update|merge|remove) /.test(status))
      if (!isBlocked(again.plan)) expect(busy).toEqual([])
    }),
    settings,
  )
})

test('without edits, the project is as if it had been generated now', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(project, { minLength: 1, maxLength: 4 }), async (versions) => {
      const root = folder()
      for (const version of versions) await run(target(root), version)
      const fresh = folder()
      await run(target(fresh), versions.at(-1) ?? {})
      expect(textsOf(root)).toEqual(textsOf(fresh))
    }),
    settings,
  )
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { undoLastRun } from '../../../generator/commands/change/undo-project.js'
import { runs } from '../../support/runs.js'
import { generate } from '../../support/with-features.js'
import { emptyFolder } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'

process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'

const kinds = [
  'text()',
  'textarea().nullable()',
  'integer()',
  'decimal(8, 2)',
  'boolean().default(false)',
  'dateTime().nullable()',
  'json().nullable()',
]
const names = ['title', 'body', 'amount', 'price', 'is_open', 'seen_at', 'extra']
const keys = ['posts', 'tags', 'orders', 'people']

interface Repository {
  readonly fields: readonly { readonly name: string; readonly kind: string }[]
  readonly target: string | null
}
type Manifest = Readonly<Record<string, Repository>>

const repository: fc.Arbitrary<Repository> = fc.record({
  fields: fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...names), kind: fc.constantFrom(...kinds) }),
    {
      selector: ({ name }) => name,
      minLength: 1,
      maxLength: 5,
    },
  ),
  target: fc.option(fc.constantFrom(...keys)),
})

const manifest: fc.Arbitrary<Manifest> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...keys), repository), {
    selector: ([key]) => key,
    minLength: 1,
  })
  .map((entries) => Object.fromEntries(entries))

function manifestText(repositories: Manifest): string {
  const parts = Object.entries(repositories).map(([key, { fields, target }]) => {
    const has = target !== null && Object.hasOwn(repositories, target)
    const related = has ? `related: { link: belongsTo('${target}').nullable() },` : ''
    return `${key}: repository({ fields: { ${fields.map(({ name, kind }) => `${name}: ${kind}`).join(', ')} }, ${related} }),`
  })
  return `import { belongsTo, boolean, dateTime, decimal, defineManifest, integer, json, repository, text, textarea } from 'svckit'
export default defineManifest({ database: 'sqlite', repositories: {\n${parts.join('\n')}\n} })\n`
}

interface Edit {
  readonly file: number
  readonly at: number
  readonly mark: string
}
const edit: fc.Arbitrary<Edit> = fc.record({
  file: fc.nat(200),
  at: fc.nat(80),
  mark: fc.uuid().map((id) => `// mine ${id}`),
})

const run = (root: string, options = {}) =>
  generate(root, { conflicts: 'stop', force: false, isWriting: true, ...options })

const turnTo = (root: string, repositories: Manifest) =>
  fill(root, { 'manifest.ts': manifestText(repositories) })

/** A comment between two lines of a file that svc writes. */
function insert(root: string, { file, at, mark }: Edit): string {
  const paths = Object.keys(textsOf(root)).filter((path) =>
    /^(app|config|routes|tests)\/.*\.ts$/.test(path),
  )
  const path = paths[file % paths.length] ?? ''
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  lines.splice(Math.min(at, lines.length - 1), 0, mark)
  fill(root, { [path]: lines.join('\n') })
  return path
}

const withoutHistory = (root: string) =>
  Object.fromEntries(
    Object.entries(textsOf(root)).filter(([path]) => !path.includes('prisma/migrations/')),
  )

test('a second run has nothing to do, and without edits the project is as if generated now', async () => {
  await fc.assert(
    fc.asyncProperty(manifest, manifest, async (before, after) => {
      const root = emptyFolder()
      turnTo(root, before)
      await run(root)
      turnTo(root, after)
      const changed = await run(root)
      if (changed.kind === 'problems') throw new Error(JSON.stringify(changed.problems))
      const again = await run(root, { isWriting: false })
      if (again.kind === 'problems') throw new Error(JSON.stringify(again.problems))
      expect(again.prepared.changes).toEqual([])
      const fresh = emptyFolder()
      fill(fresh, { 'package.json': readFileSync(join(root, 'package.json'), 'utf8') })
      turnTo(fresh, after)
      await run(fresh)
      const kept = Object.fromEntries(Object.entries(withoutHistory(root)))
      expect(kept).toEqual(withoutHistory(fresh))
    }),
    { numRuns: runs(8) },
  )
})

test('every edited line survives any change of the manifest, or its file is named; undo brings all back', async () => {
  await fc.assert(
    fc.asyncProperty(
      manifest,
      manifest,
      fc.array(edit, { minLength: 1, maxLength: 6 }),
      async (before, after, edits) => {
        const root = emptyFolder()
        turnTo(root, before)
        await run(root)
        const made = edits.map((each) => ({ path: insert(root, each), mark: each.mark }))
        turnTo(root, after)
        const texts = textsOf(root)
        const outcome = await run(root)
        if (outcome.kind === 'problems') throw new Error(JSON.stringify(outcome.problems))
        const now = textsOf(root)
        for (const { path, mark } of made) expect(now[path] ?? '', path).toContain(mark)
        const conflicts = outcome.prepared.plan.files.filter(({ status }) => status === 'conflict')
        for (const { path } of conflicts) expect(Object.keys(now)).toContain(`${path}.svc-new`)
        if (outcome.prepared.changes.length === 0) return
        await undoLastRun(root)
        expect(textsOf(root)).toEqual(texts)
        const forced = await run(root, { force: true })
        if (forced.kind === 'problems') throw new Error('problems')
        const named = new Set(
          forced.prepared.plan.files.flatMap(({ path, note, status }) =>
            note === 'replaced' || status === 'orphan' ? [path] : [],
          ),
        )
        const end = textsOf(root)
        for (const { path, mark } of made)
          if (!(end[path] ?? '').includes(mark)) expect([...named]).toContain(path)
      },
    ),
    { numRuns: runs(10) },
  )
})

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { isTold } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { runs } from '../../support/runs.js'
import { svc } from '../cli/project.js'
import { root } from '../plan/fixture.js'
import { change, emit } from './emit.js'
import { run } from './run.js'

/** The matrix of the blog: `UPDATE_GOLDEN=1` writes it anew. */
const read = join(root, 'fixtures/blog/tests/authorization.md')
const isUpdating = process.env['UPDATE_GOLDEN'] !== undefined

/** How many random requests each operation of the contract gets; three in a project, where nobody says. */
const requests = { CONTRACT_RUNS: String(runs(1)) }

/** The matrices of every-kind on the first of its databases. */
const matrices = new Set<string>()

/** Of these the others tell most; `npm run test:long` has them. */
const more = [
  ['blog', 'postgresql', 'own'],
  ['ledger', 'sqlite', 'open'],
  ['awkward-names', 'sqlite', 'open'],
  ['awkward-names', 'sqlite', 'own'],
  ['blog', 'sqlite', 'closed'],
  ['every-kind', 'postgresql', 'open'],
  ['every-kind', 'sqlite', 'open'],
  ['wide-ids', 'postgresql', 'own'],
  ['wide-ids', 'sqlite', 'open'],
  ['features/bulk', 'sqlite', 'open'],
  ['features/versions', 'sqlite', 'open'],
  ['features/soft-deletes', 'sqlite', 'open'],
  ['features/dry-run', 'sqlite', 'open'],
  ['features/idempotency', 'sqlite', 'open'],
  ['features/operators', 'sqlite', 'open'],
  ['features/upsert', 'sqlite', 'open'],
  ['features/nested-create', 'sqlite', 'open'],
  ['features/sparse', 'sqlite', 'open'],
  ['features/counts', 'sqlite', 'open'],
  ['features/full-text', 'postgresql', 'open'],
  ['features/full-text', 'sqlite', 'open'],
  ['features/include-arguments', 'sqlite', 'open'],
  ['features/relation-filters', 'sqlite', 'open'],
  ['features/cursors', 'sqlite', 'open'],
  ['features/trees', 'sqlite', 'open'],
  ['features/csv-export', 'sqlite', 'open'],
  ['features/aggregates', 'sqlite', 'open'],
  ['features/custom-filters', 'sqlite', 'open'],
  ['features/filters', 'sqlite', 'open'],
] as const

/** The tests a project comes with pass, whatever its owner made of the policies. */
const projects = [
  ['blog', 'sqlite', 'own'],
  ['minimal', 'sqlite', 'open'],
  ['minimal', 'postgresql', 'closed'],
  ...(runs(1) > 1 ? more : []),
] as const

test.each(projects)('%s on %s, policies %s', async (fixture, database, policies) => {
  // Whose the runtime is changes nothing, `authorization.md` not either.
  const runtime = fixture === 'blog' && database === 'sqlite' ? 'own' : 'package'
  const folder = await emit(fixture, database, policies, { runtime })
  // Where CI is set, nothing is written that was not there.
  const server = { ...requests, TEST_DATABASE_URL: `${inject('postgres')}postgres`, CI: '' }
  // Only the blog has a matrix that somebody read: tests/authorization.md.
  const isRead = fixture === 'blog' && policies === 'own'
  const update = isRead && !isUpdating ? [] : ['--update']
  const { code, output } = await run('vitest', ['run', ...update], folder, server)
  expect(code, output).toBe(0)
  if (isRead && isUpdating) writeFileSync(read, matrixIn(folder))
  if (policies === 'closed' && fixture === 'blog') expect(opened(folder)).toEqual([])
  if (fixture === 'every-kind') matrices.add(matrixIn(folder))
  expect(matrices.size, 'the same on both databases').toBeLessThan(2)
  if (fixture === 'minimal' && policies === 'open') await failsOfAMistake(folder)
  rmSync(folder, { recursive: true })
})

/** The matrix is that of `projects`, byte for byte: it is compared, not written. */
test.each(runs(1) > 1 ? (['sqlite', 'postgresql'] as const) : [])(
  'a blog on %s as a package, and the same one after svc publish runtime',
  async (database) => {
    const folder = await emit('blog', database)
    const server = { ...requests, TEST_DATABASE_URL: `${inject('postgres')}postgres`, CI: 'true' }
    const passes = async () => {
      const { code, output } = await run('vitest', ['run'], folder, server)
      expect(code, output).toBe(0)
      expect(matrixIn(folder)).toBe(readFileSync(read, 'utf8'))
    }
    await passes()
    const { code, errors } = await svc(folder, 'publish', 'runtime')
    expect(code, errors).toBe(0)
    await passes()
    rmSync(folder, { recursive: true })
  },
)

test.each((['sqlite', 'postgresql'] as const).filter((name) => isTold(name, 'postgresql')))(
  'every-kind on %s, whose columns have other names than its fields',
  async (database) => {
    const folder = await emit('every-kind', database, 'open', { areRenamed: true })
    const server = { ...requests, TEST_DATABASE_URL: `${inject('postgres')}postgres`, CI: '' }
    const { code, output } = await run('vitest', ['run', '--update'], folder, server)
    expect(code, output).toBe(0)
    matrices.add(matrixIn(folder))
    expect(matrices.size, 'the same whatever columns are called').toBeLessThan(2)
    rmSync(folder, { recursive: true })
  },
)

test.each(runs(1) > 1 ? (['sqlite'] as const) : [])(
  'a blog on %s whose includes are refused',
  async (database) => {
    const folder = await emit('blog', database)
    change(
      join(folder, 'app/Policies/PostPolicy.ts'),
      /  store: /,
      '  canSee: { comments: () => false, description: () => false },\n  store: ',
    )
    const strict = 'strict_queries: true,$1strict_bodies: true'
    if (runs(1) > 1)
      await passesWith(folder, /strict_queries: false,([^]*?)strict_bodies: false/, strict)
    await passesWith(folder, /related_records: 10_000/, 'related_records: 1')
    rmSync(folder, { recursive: true })
  },
)

/** In GraphQL as in REST: what one may not see is a decision on attaching it, not a mistake of the test. */
test.each(runs(1) > 1 ? ['sqlite' as const] : [])(
  'a blog on %s whose tags nobody sees',
  async (database) => {
    const folder = await emit('blog', database)
    change(join(folder, 'app/Policies/TagPolicy.ts'), /show: .*/, 'show: () => false,')
    const { code, output } = await run(
      'vitest',
      ['run', '--update', 'tests/authorization.test.ts'],
      folder,
      { CI: '' },
    )
    expect(code, output).toBe(0)
    const refused = 'no (404: draft; 422 tags: own draft, own post, post)'
    expect(matrixIn(folder)).toContain(
      `| \`mutation attachPostTags\` | no (401) | ${refused} | ${refused} |`,
    )
    rmSync(folder, { recursive: true })
  },
)

test.each(runs(1) > 1 ? (['sqlite', 'postgresql'] as const) : [])(
  'a blog on %s whose records say who wrote them',
  async (database) => {
    const folder = await emit('blog', database)
    change(
      join(folder, 'manifest/index.ts'),
      /defineManifest\(\{/,
      'defineManifest({ timestampsBy: true,',
    )
    await generateInto(folder)
    const server = { ...requests, TEST_DATABASE_URL: `${inject('postgres')}postgres`, CI: '' }
    const { code, output } = await run('vitest', ['run', '--update'], folder, server)
    expect(code, output).toBe(0)
    rmSync(folder, { recursive: true })
  },
)

const matrixIn = (folder: string) => readFileSync(join(folder, 'tests/authorization.md'), 'utf8')

/** Lines of the matrix, but for those of no repository, where somebody may do something. */
function opened(folder: string): readonly string[] {
  const [ofRepositories = ''] = matrixIn(folder).split('## Signing in')
  const lines = ofRepositories.split('\n').filter((line) => line.startsWith('| `'))
  expect(lines.length).toBeGreaterThan(190)
  return lines.filter((line) => !/^\| `[^`]+`( \| (no \(40[134]\)|none))+ \|$/.test(line))
}

async function passesWith(folder: string, standard: RegExp, setting: string): Promise<void> {
  const path = join(folder, 'config/svc.ts')
  const config = readFileSync(path, 'utf8')
  change(path, standard, setting)
  expect(readFileSync(path, 'utf8')).not.toBe(config)
  // The document says which fields have a gate; the settings, which queries are strict.
  await generateInto(folder)
  const others = ['--exclude', 'tests/authorization.test.ts']
  const { code, output } = await run('vitest', ['run', ...others], folder, requests)
  writeFileSync(path, config)
  expect(code, output).toBe(0)
}

/** A condition on a column that is not there is a 500, which no test takes for an answer. */
async function failsOfAMistake(folder: string): Promise<void> {
  change(
    join(folder, 'app/Policies/NotePolicy.ts'),
    /show: .*/,
    'show: () => ({ id: 1, nmae: 1 }),',
  )
  const { code, output } = await run('vitest', ['run', '--testNamePattern', 'counts'], folder)
  expect(code).toBe(1)
  expect(output).toContain('GET /api/svc/notes?perPage=1 answered 500, and the log says why')
  expect(output).toContain("NotePolicy.ts: a condition on 'notes' names 'nmae'")
}

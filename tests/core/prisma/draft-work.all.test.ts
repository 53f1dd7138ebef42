/** A field more in one of many repositories: Prisma's engine reads that one and its neighbours, and not all of them. */
import { expect, test, vi } from 'vitest'
import type { MigrationState } from '../../../generator/migrations/migration-state.js'
import { planMigrations } from '../../../generator/migrations/migrations.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { migrating } from '../../support/with-features.js'
import { blueprint, column, entity, foreign, on } from './blueprints.js'
import { databases } from './live.js'

const work = vi.hoisted(() => ({ models: 0 }))

vi.mock('../../../generator/migrations/diff/engine-wasm.js', async (original) => {
  const real = await original<typeof import('../../../generator/migrations/diff/engine-wasm.js')>()
  const openEngine: typeof real.openEngine = async () => {
    const engine = await real.openEngine()
    const diff = engine.diff.bind(engine)
    engine.diff = (input) => {
      work.models += JSON.stringify(input).match(/model Item\d+ \{/g)?.length ?? 0
      return diff(input)
    }
    return engine
  }
  return { ...real, openEngine }
})

const size = 60

/** Each belongs to its neighbour; the last one has a field more. */
const many = (more: boolean) =>
  blueprint(
    Array.from({ length: size }, (_, at) => {
      const key = (n: number) => `item${String(n % size).padStart(2, '0')}s`
      const extra = more && at === size - 1 ? [column('extra', 'text', { nullable: true })] : []
      const name = `Item${at}`
      const columns = [column('name', 'text'), ...extra, foreign('next_id', key(at + 1))]
      return entity({ key: key(at), name, columns })
    }),
  )

test.each(databases)('on %s', async (database) => {
  const schemaOf = (more: boolean) => [
    { path: 'svc.prisma', content: prismaSchema(on(database, many(more))) },
  ]
  const none: MigrationState = { saved: [], lock: null, base: null, draft: null, draftSchema: null }
  const plan = async (state: MigrationState, more: boolean) => {
    work.models = 0
    const { files, draft } = await planMigrations(migrating(database), state, schemaOf(more))
    const at = (path: string) => files.find((file) => file.path.endsWith(path))?.content ?? null
    return { draft: draft?.sql, schema: at('draft.prisma'), models: work.models }
  }
  const first = await plan(none, false)
  expect(first.models).toBe(size)
  const anew = await plan(none, true)
  const state = { ...none, draft: first.draft ?? null, draftSchema: first.schema }
  const changed = await plan(state, true)
  expect(changed.draft).toBe(anew.draft)
  expect(changed.draft).toContain('"extra"')
  expect(changed.models).toBeLessThan(10)

  // The developer's own lines of a draft are not carried over: they are set aside, and the draft is
  // made again.
  const edited = await plan({ ...state, draft: `${first.draft}\n-- mine\n` }, true)
  expect(edited).toMatchObject({ draft: anew.draft, models: size })
})

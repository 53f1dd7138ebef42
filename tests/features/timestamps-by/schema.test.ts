/** `timestampsBy` in a project that has rows: on, it costs nothing; off, it asks. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineManifest, email, password, repository, text } from '../../../generator/index.js'
import { HistoryProject } from '../../core/prisma/histories/project.js'
import { databases } from '../../support/databases.js'
import { buildBlueprint } from '../../support/with-features.js'

const nowhere = { file: 'manifest.ts', line: 1, column: 1 }
const sources = { repositories: new Map(), locate: () => nowhere }
const at = `'2026-01-01T00:00:00.000+00:00'`

describe.each(databases)('on %s', (database) => {
  let project: HistoryProject
  beforeEach(async () => void (project = await HistoryProject.open(database)))
  afterEach(() => project.close())

  /** `svc generate` and the new blueprint. */
  const generate = async (timestampsBy: boolean) => {
    const users = repository({ fields: { email: email().unique(), password: password() } })
    const notes = repository({ fields: { body: text() } })
    const manifest = defineManifest({ database, timestampsBy, repositories: { users, notes } })
    const built = buildBlueprint(manifest, { sources, userModel: null })
    if ('problems' in built) throw new Error(JSON.stringify(built.problems))
    await project.generate(built.blueprint)
    expect(await project.isSettled(built.blueprint)).toBe(true)
    return built.blueprint
  }

  test('it is switched on without a question, and off with one', async () => {
    const done = { kind: 'done', losses: [] }
    expect(await project.migrate(await generate(false))).toMatchObject(done)
    await project.save()
    await project.query(
      `insert into users (email, password, updated_at) values ('a@b.c', '!', ${at}) returning id`,
    )
    await project.query(`insert into notes (body, updated_at) values ('one', ${at}) returning id`)
    const on = await generate(true)
    expect(await project.migrate(on)).toMatchObject(done)
    await project.save()
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(on))
    const select = 'select body, created_by_id, updated_by_id from notes'
    expect(await project.query(select)).toEqual([['one', null, null]])

    await project.query('update notes set created_by_id = 1 returning id')
    const off = await generate(false)
    expect(await project.migrate(off)).toMatchObject({ kind: 'loses' })
    const answers = { acceptDataLoss: true, fills: [] }
    expect(await project.migrate(off, answers)).toMatchObject({ kind: 'done' })
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(off))
    expect(await project.query('select body from notes')).toEqual([['one']])
  })
})

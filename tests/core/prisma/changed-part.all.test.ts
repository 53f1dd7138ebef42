/** A change is looked for among the models that it has to do with: what is found is what all of them would say. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../../generator/blueprint/types.js'
import { changedDraft } from '../../../generator/migrations/diff/changed-draft.js'
import { changedPart } from '../../../generator/migrations/diff/changed-part.js'
import { buildSql } from '../../../generator/migrations/diff/engine.js'
import { diffRenamed, diffWhole } from '../../../generator/migrations/diff/renaming-diff.js'
import { noRenaming } from '../../../generator/migrations/diff/renaming.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { isTold } from '../../support/databases.js'
import { runs } from '../../support/runs.js'
import { migrating } from '../../support/with-features.js'
import { blueprintOf as fixtureOf } from '../plan/fixture.js'
import { changeOnce } from './histories/changes.js'
import { Dice } from './histories/dice.js'
import { newTable } from './histories/table-changes.js'
import { blueprintOf, type TableState, type World } from './histories/world.js'
import { databases } from './live.js'

const fileOf = (path: string, content: string) => ({ path, content })

/** Compares both ways, and says whether one of them had less to look at. */
async function bothWays(database: Database, before: string, after: string) {
  const from = fileOf('base.prisma', before)
  const to = [fileOf('svc.prisma', after)]
  const whole = await diffWhole(migrating(database), from, to, noRenaming).catch(said)
  const smaller = changedPart(from, to)
  const part =
    smaller === null || typeof whole === 'string'
      ? await diffRenamed(migrating(database), from, to, noRenaming).catch(said)
      : await diffWhole(migrating(database), smaller.from, [smaller.to], noRenaming)
  return { whole, part, isSmaller: smaller !== null }
}

const said = (error: unknown) => String(error)

/** A draft that is changed in its place says what one says that is made anew. True where that was certain. */
async function expectSameDraft(before: string, after: string) {
  const to = [fileOf('svc.prisma', after)]
  const draft = await buildSql(migrating('sqlite'), [fileOf('svc.prisma', before)])
  const known = { sql: draft, schema: fileOf('draft.prisma', before) }
  const changed = await changedDraft(migrating('sqlite'), known, to)
  if (changed === null) return false
  expect(changed).toBe(await buildSql(migrating('sqlite'), to))
  return true
}

/** Edits of a model's text; the same text where the model has nothing of the kind. */
const edits: Readonly<Record<string, (model: string) => string>> = {
  'gets a column': (model) => model.replace('{\n', '{\n  another String? // text max 255\n'),
  'gets a column that asks for a value': (model) =>
    model.replace('{\n', '{\n  another String // text max 255\n'),
  'loses its timestamps': (model) => model.replace(/^ {2}(created|updated)_at .*\n/gm, ''),
  'has another type': (model) => model.replace(/^( {2}\w+ +)String\b/m, '$1Int'),
  'is called otherwise in the database': (model) => model.replace('@@map("', '@@map("old_'),
  'has another name for its ids there': (model) =>
    model.replace(/^( {2}id .*@id)/m, '$1 @map("number")'),
  'loses its indexes': (model) => model.replace(/^ {2}@@(index|unique)\(.*\n/gm, ''),
  'deletes otherwise': (model) => model.replaceAll(/onDelete: \w+/g, 'onDelete: NoAction'),
  'says something else': (model) => model.replace('{\n', '{\n  /// A word.\n'),
}

const morphs = 'a morph with owners of both kinds of ids'
const tableOf = (id: number, key: string, more: Partial<TableState> = {}): TableState => {
  return {
    id,
    key,
    ids: 'integer',
    fields: [],
    links: [],
    morph: null,
    groups: [],
    words: null,
    ...more,
  }
}
const owners = [1, 2].map((table) => ({ table, onDelete: 'cascade' as const }))
const place = { id: 6, name: 'place', target: 5, nullable: false, onDelete: null }
const owned: World = [
  tableOf(1, 'posts', { links: [place] }),
  tableOf(2, 'videos', { ids: 'uuid' }),
  tableOf(3, 'notes', { morph: { id: 4, owners } }),
  tableOf(5, 'places'),
  tableOf(7, 'others'),
]

describe.each(databases.filter((name) => isTold(name, 'sqlite')))('on %s', (database) => {
  test.each(['blog', 'every-kind', 'awkward-names', morphs] as const)(
    'each model of %s, one at a time',
    async (name) => {
      const text = name === morphs ? textOf(owned) : prismaSchema(await fixtureOf(name, database))
      let smaller = 0
      let kept = 0
      for (const model of text.match(/^model [^]*?\n\}\n/gm) ?? []) {
        for (const [what, edit] of Object.entries(edits)) {
          const edited = text.replace(model, () => edit(model))
          const { whole, part, isSmaller } = await bothWays(database, text, edited)
          expect(part, `${model.split('\n')[0]} ${what}`).toEqual(whole)
          smaller += isSmaller ? 1 : 0
          if (typeof whole === 'string' || edited === text) continue
          kept += (await expectSameDraft(text, edited)) ? 1 : 0
        }
      }
      expect(smaller).toBeGreaterThan(0)
      expect(kept).toBeGreaterThan(0)
    },
  )

  test('many tables, changed at random', async () => {
    const isAllowed = (world: World) => blueprintOf(world, database) !== null
    let smaller = 0
    let kept = 0
    const property = fc.asyncProperty(fc.noShrink(fc.nat()), async (seed) => {
      const dice = new Dice(seed)
      let ids = 0
      const nextId = () => ++ids
      const place = { dice, nextId, seen: [], saved: [], ambiguous: [] }
      const step = (from: World) => changeOnce(from, place, isAllowed)?.world ?? from
      let world: World = []
      for (const key of ['as', 'bs', 'cs', 'ds', 'es', 'fs', 'gs', 'hs']) {
        const more = () => [...world, newTable(key, dice, nextId)]
        world = Array.from({ length: 20 }, more).find(isAllowed) ?? world
      }
      for (let at = 0; at < 10; at += 1) world = step(world)
      for (let at = 0; at < 4; at += 1) {
        const next = dice.isOneIn(2) ? step(world) : step(step(world))
        const { whole, part, isSmaller } = await bothWays(database, textOf(world), textOf(next))
        expect(part).toEqual(whole)
        smaller += isSmaller ? 1 : 0
        const [before, after] = [textOf(world), textOf(next)]
        if (before !== after && (await expectSameDraft(before, after))) kept += 1
        world = next
      }
    })
    await fc.assert(property, { numRuns: runs(4) })
    expect(smaller).toBeGreaterThan(0)
    expect(kept).toBeGreaterThan(0)
  })

  function textOf(world: World): string {
    const blueprint = blueprintOf(world, database)
    if (blueprint === null) throw new Error('the manifest is wrong')
    return prismaSchema(blueprint)
  }
})

/** Tables that SQLite has to rebuild, and how a table is recognized. */
import { describe, expect, test } from 'vitest'
import { databases, isTold } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'
import { liveProject } from './live-project.js'

const at = `'2026-01-01T00:00:00.000+00:00'`

describe.each(databases)('tables on %s', (name) => {
  const { run, ok, asked, manifest } = liveProject(name)
  const become = async (repositories: string) => {
    manifest(`${users} ${repositories}`)
    await ok('generate', '--no-compile')
  }
  const save = async (step: string) => {
    await ok('migrate', 'save', step)
    await ok('migrate', 'deploy')
  }

  if (isTold(name, 'sqlite'))
    test('lose what was stored folded without a word', async () => {
      const notes = (title: string) =>
        `notes: repository({ fields: { title: ${title}, n: integer() } }),`
      await become(notes('text().folded()'))
      await save('start')
      await asked(
        `insert into notes (title, title_folded, n, updated_at) values ('É', 'e', 1, ${at}) returning id`,
      )
      await become(notes('text()'))
      await save('plain')
      expect(await asked('select title, n from notes')).toEqual([['É', 1]])
    })

  if (isTold(name, 'sqlite'))
    test('count up a key that was of another kind, and give no id again', async () => {
      const notes = (id: string) => `notes: repository({ ${id} fields: { title: text() } }),`
      await become(notes("id: 'uuid',"))
      await save('start')
      await become(notes(''))
      await ok('migrate', 'save', 'counted', '--accept-data-loss')
      await ok('migrate', 'deploy')
      const insert = `insert into notes (title, updated_at) values ('a', ${at}) returning id`
      expect(await asked(insert)).toEqual([[1]])
      await asked('delete from notes returning id')
      expect(await asked(insert)).toEqual([[2]])
    })

  if (isTold(name, 'postgresql'))
    test('keep the kind of their ids while there are rows', async () => {
      const notes = (id: string) => `notes: repository({ ${id} fields: { title: text() } }),`
      await become(notes(''))
      await save('start')
      await asked(`insert into notes (id, title, updated_at) values (7, 'a', ${at}) returning id`)
      await become(notes("id: 'uuid',"))
      for (const line of [['migrate'], ['migrate', '--accept-data-loss']]) {
        const { code, errors } = await run(...line)
        expect([code, errors]).toEqual([
          1,
          expect.stringContaining(
            "notes.id is an id of another kind, and what its record is known by: 1 row, '7'",
          ),
        ])
        expect(errors).toContain('create a repository with another name')
        expect(errors).not.toMatch(/--fill|--accept-data-loss/)
      }
      expect(await asked('select id, title from notes')).toEqual([[7, 'a']])
      await asked('delete from notes returning id')
      await ok('migrate', '--accept-data-loss')
      expect(await asked('select id from notes')).toEqual([])
    })
})

/** What keeps the rows of a morph lives through changes of the tables around it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { liveProject } from '../../core/regenerate/live-project.js'
import { databases, isTold } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'

const at = `'2026-01-01T00:00:00.000+00:00'`

describe.each(databases)('the triggers of a morph on %s', (name) => {
  const { path, run, ok, asked, manifest } = liveProject(name)
  /** Generates the manifest, and migrates the database through a saved migration. */
  const become = async (step: string, shelves: string, books: string) => {
    manifest(`${users} ${shelves} books: repository({ ${books} }),`)
    await ok('generate', '--no-compile')
    await ok('migrate', '--accept-data-loss')
    await ok('migrate', 'save', step, '--accept-data-loss')
    await ok('migrate')
    expect(await ok('generate', '--no-compile')).toContain('unchanged')
  }
  const lost = { kind: 'foreign' }

  if (isTold(name, 'sqlite'))
    test('follow what is renamed and built anew, and go with the relation', async () => {
      const place = 'related: { place: morphTo() }'
      const shelves = (more: string, onDelete: string) =>
        `repository({ ${more} fields: { name: text() }, related: { books: morphMany({ name: 'place', ${onDelete} }) } }),`
      await ok('migrate')
      await become(
        'start',
        `shelves: ${shelves('', '')}`,
        `fields: { name: text().nullable() }, ${place}`,
      )
      await asked(
        `insert into shelves (id, name, updated_at) values (1, 'a', ${at}), (2, 'b', ${at}) returning id`,
      )
      const book = (type: string, id: number) =>
        asked(
          `insert into books (name, place_type, place_id, updated_at) values ('b', '${type}', ${id}, ${at}) returning id`,
        )
      await book('shelves', 1)
      await expect(book('shelves', 9)).rejects.toMatchObject(lost)
      await expect(asked('delete from shelves where id = 1 returning id')).rejects.toMatchObject(
        lost,
      )

      // A column that becomes required: SQLite builds the table anew.
      await become('required', `shelves: ${shelves('', '')}`, `fields: { name: text() }, ${place}`)
      await expect(book('shelves', 9)).rejects.toMatchObject(lost)
      await expect(asked('delete from shelves where id = 1 returning id')).rejects.toMatchObject(
        lost,
      )

      await become(
        'racks',
        `racks: ${shelves("renamedFrom: 'shelves',", "onDelete: 'cascade'")}`,
        `fields: { name: text() }, ${place}`,
      )
      expect(await asked('select place_type from books')).toEqual([['racks']])
      await expect(book('shelves', 2)).rejects.toMatchObject(lost)
      await book('racks', 2)
      expect(await asked('delete from racks where id = 1 returning id')).toEqual([[1]])
      expect(await asked('select place_type, place_id from books')).toEqual([['racks', 2]])

      await become(
        'without',
        'racks: repository({ fields: { name: text() } }),',
        'fields: { name: text() }',
      )
      expect(await asked('delete from racks where id = 2 returning id')).toEqual([[2]])
      expect(await asked('select name from books')).toEqual([['b']])
    })

  test('come to a pivot table from before, without the rows of records that are gone', async () => {
    const of = (key: string, id = '') =>
      `${key}: repository({ ${id} fields: { name: text() }, related: { tags: morphToMany({ name: 'taggable' }) } }),`
    const become = async (repositories: string) => {
      manifest(`${users} ${repositories} tags: repository({ fields: { name: text() } }),`)
      await ok('generate', '--no-compile')
      await ok('migrate', '--accept-data-loss')
    }
    const stays = `${of('posts')} ${of('crates', "id: 'uuid',")}`
    await become(`${stays} ${of('boxes', "id: 'uuid',")}`)
    await ok('migrate', 'save', 'start')
    await ok('migrate')
    const base = path('prisma/migrations/base.prisma')
    const marked = readFileSync(base, 'utf8')
    writeFileSync(base, marked.replaceAll(/^ *\/\/\/ Belongs to .*\n/gm, ''))
    const box = '01234567-89ab-7def-8123-456789abcdef'
    const owners = ['_posts', '_crates', '_boxes']
    const moves = owners.map((owner) => `${owner}__moved`)
    for (const trigger of ['', '__update', ...owners, ...moves]) {
      const called = `"taggables_taggable_morph${trigger}"`
      const drop =
        name === 'sqlite' ? `trigger if exists ${called}` : `function if exists ${called} cascade`
      await asked(`drop ${drop}`)
    }
    await asked(`insert into tags (id, name, updated_at) values (1, 'a', ${at}) returning id`)
    await asked(`insert into posts (id, name, updated_at) values (1, 'a', ${at}) returning id`)
    await asked(
      `insert into boxes (id, name, updated_at) values ('${box}', 'a', ${at}) returning id`,
    )
    const links = [
      ...['1', '2'].map((id) => ['posts', id]),
      ...[box, '1'].map((id) => ['boxes', id]),
    ]
    const values = links.map(([type, id]) => `('${type}', '${id}', 1)`).join(', ')
    await asked(
      `insert into taggables (taggable_type, taggable_id, tag_id) values ${values} returning tag_id`,
    )

    await ok('generate', '--no-compile')
    const refused = await run('migrate')
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('taggables: 2 rows')])
    await become(`${stays} ${of('boxes', "id: 'uuid',")}`)
    const left = () => asked('select taggable_type, taggable_id from taggables order by 1')
    expect(await left()).toEqual([
      ['boxes', box],
      ['posts', '1'],
    ])
    expect(readFileSync(path('prisma/schema/svc.prisma'), 'utf8')).toContain('Belongs to')
    expect(await ok('generate', '--no-compile')).toContain('unchanged')
    await ok('migrate', 'save', 'triggers')
    await expect(asked(`insert into taggables values ('posts', '2', 1)`)).rejects.toMatchObject(
      lost,
    )
    expect(await asked('delete from posts where id = 1 returning id')).toEqual([[1]])
    expect(await left()).toEqual([['boxes', box]])

    await become(stays)
    expect(await left()).toEqual([])
  })

  if (isTold(name, 'postgresql'))
    describe('a side that goes', () => {
      const box = '01234567-89ab-7def-8123-456789abcdef'
      const sides = (...names: string[]) => {
        const all = {
          books: "books: morphMany({ name: 'place' })",
          labels: "labels: morphToMany({ name: 'labelled' })",
        }
        return `related: { ${names.map((name) => all[name as keyof typeof all]).join(', ')} }`
      }
      const both = sides('books', 'labels')
      const of = (key: string, more: string) =>
        `${key}: repository({ ${key === 'shelves' || key === 'crates' ? '' : "id: 'uuid',"} fields: { name: text() }, ${more} }),`
      const become = async (...repositories: string[]) => {
        manifest(`${users} ${repositories.join(' ')}
        books: repository({ fields: { name: text() }, related: { place: morphTo() } }),
        labels: repository({ fields: { name: text() } }),`)
        return ok('generate', '--no-compile')
      }
      const save = async (step: string) => {
        await ok('migrate', '--accept-data-loss')
        await ok('migrate', 'save', step, '--accept-data-loss')
        await ok('migrate')
        expect(await ok('generate', '--no-compile')).toContain('unchanged')
      }
      const places = () => asked('select place_type, place_id from books order by id')
      const links = () => asked('select labelled_type, labelled_id from labelleds order by 1')
      const left = 'belongs to a repository that has no side of it any more'

      /** Books and labels belong to a shelf and to a box. */
      const insertRows = async () => {
        await become(of('shelves', both), of('boxes', both))
        await save('start')
        for (const [table, id] of [
          ['shelves', '1'],
          ['boxes', `'${box}'`],
          ['labels', '1'],
        ]) {
          await asked(
            `insert into ${table} (id, name, updated_at) values (${id}, 'a', ${at}) returning id`,
          )
        }
        for (const [type, id] of [
          ['shelves', '1'],
          ['shelves', '1'],
          ['boxes', box],
        ]) {
          await asked(
            `insert into books (name, place_type, place_id, updated_at) values ('b', '${type}', '${id}', ${at}) returning id`,
          )
        }
        await asked(
          `insert into labelleds values ('shelves', '1', 1), ('boxes', '${box}', 1) returning label_id`,
        )
      }
      const takeSide = async () => {
        // The side goes, and its repository stays. What is left has one kind of ids.
        expect(await become(of('shelves', ''), of('boxes', both))).toContain(
          "takes 'place' of 'books' away from 'shelves': rows that belong there stop it",
        )
        const refused = await run('migrate')
        expect([refused.code, refused.errors]).toEqual([
          1,
          expect.stringContaining(`  books.place_type ${left}: 2 rows, 'shelves'`),
        ])
        expect(refused.errors).toContain(`labelleds.labelled_type ${left}: 1 row`)
        expect(refused.errors).toContain('which deletes those rows, or empties the relation')
        expect(refused.errors).not.toMatch(/--fill|is no uuid/)
        expect(await places()).toHaveLength(3)
        await save('without_shelves')
        expect(await places()).toEqual([
          [null, null],
          [null, null],
          ['boxes', box],
        ])
        expect(await links()).toEqual([['boxes', box]])
      }
      const renameRepositories = async () => {
        // It is called otherwise, and has one side less; others have other ids.
        await become(of('crates', both), of('boxes', both))
        await save('crates')
        expect(await places()).toContainEqual(['boxes', box])
        await become(of('crates', both), of('bins', `renamedFrom: 'boxes', ${sides('books')}`))
        const called = await run('migrate')
        expect([called.code, called.errors]).toEqual([
          1,
          expect.stringContaining(`labelleds.labelled_type ${left}: 1 row, 'bins'`),
        ])
        await save('bins')
        expect(await places()).toContainEqual(['bins', box])
        expect(await links()).toEqual([])
      }
      const takeRepository = async () => {
        await become(of('crates', both))
        const saved = await run('migrate', 'save', 'without_bins')
        expect([saved.code, saved.out + saved.errors]).toEqual([
          1,
          expect.stringContaining(`books.place_type ${left}: 1 row, 'bins'`),
        ])
        await ok('migrate', 'save', 'without_bins', '--accept-data-loss')
        expect((await run('migrate')).code).toBe(1)
        await ok('migrate', '--accept-data-loss')
        expect(await places()).toEqual([
          [null, null],
          [null, null],
          [null, null],
        ])
      }

      test('says which rows belong there, before they are emptied or deleted', async () => {
        await insertRows()
        await takeSide()
        await renameRepositories()
        await takeRepository()
      })
    })
})

/** `renamedFrom` onto a table that goes in the same step: which rows are meant is asked before anything is written. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineManifest, repository, text } from '../../../generator/index.js'
import { databases } from '../../support/databases.js'
import { buildBlueprint } from '../../support/with-features.js'
import { HistoryProject } from './histories/project.js'

const sources = {
  repositories: new Map(),
  locate: () => ({ file: 'manifest.ts', line: 1, column: 1 }),
}
const at = `'2026-01-01T00:00:00.000+00:00'`

describe.each(databases)('on %s', (database) => {
  let project: HistoryProject
  beforeEach(async () => void (project = await HistoryProject.open(database)))
  afterEach(() => project.close())

  const generate = async (repositories: Record<string, ReturnType<typeof repository>>) => {
    const manifest = defineManifest({ database, repositories })
    const built = buildBlueprint(manifest, { sources, userModel: null })
    if ('problems' in built) throw new Error(JSON.stringify(built.problems))
    await project.generate(built.blueprint)
    return built.blueprint
  }
  const step = async (repositories: Parameters<typeof generate>[0]) => {
    const blueprint = await generate(repositories)
    const outcome = await project.migrate(blueprint, { acceptDataLoss: true, fills: [] })
    expect(outcome).toMatchObject({ kind: 'done' })
    await project.save()
  }
  const fields = { title: text() }
  const posts = repository({ fields })
  const articles = repository({ renamedFrom: 'posts', fields })

  test('it is a problem until the other table is gone, and then every row is kept', async () => {
    await step({ posts, articles: repository({ fields: { name: text() } }) })
    await project.query(`insert into posts (title, updated_at) values ('p', ${at}) returning id`)
    await project.query(`insert into articles (name, updated_at) values ('a', ${at}) returning id`)
    await expect(generate({ articles })).rejects.toThrow(
      "'articles' was renamed from 'posts', and there is a table 'articles' beside 'posts'",
    )
    await step({ posts })
    await step({ articles })
    expect(await project.query('select title from articles')).toEqual([['p']])
    // The word may stay, also beside a new repository of that name.
    await step({ articles, posts })
    expect(await project.query('select title from articles')).toEqual([['p']])
  })

  const notes = (said: Parameters<typeof repository>[0]['fields']) => ({
    notes: repository({ fields: said }),
  })
  const insert = (columns: string, values: string) =>
    project.query(
      `insert into notes (${columns}, updated_at) values (${values}, ${at}) returning id`,
    )

  test('a column is a problem until the other is gone, and then every value is kept', async () => {
    await step(notes({ title: text().folded(), name: text().folded() }))
    await insert('title, title_folded, name, name_folded', `'T', 't', 'N', 'n'`)
    const renamed = { title: text().folded().renamedFrom('name') }
    await expect(generate(notes(renamed))).rejects.toThrow(
      "'title' of 'notes' was renamed from 'name', and the table has a column 'title' beside 'name'",
    )
    // Or one column for the other.
    await expect(generate(notes({ name: text().folded().column('title') }))).rejects.toThrow(
      "'title' of 'notes' was renamed from 'name'",
    )
    await step(notes({ name: text().folded() }))
    await step(notes(renamed))
    expect(await project.query('select title, title_folded from notes')).toEqual([['N', 'n']])
  })

  test('tables that exchange their names are a problem, and those that follow each other are none', async () => {
    const others = repository({ fields: { name: text() } })
    await step({ posts, articles: others })
    await project.query(`insert into posts (title, updated_at) values ('p', ${at}) returning id`)
    await project.query(`insert into articles (name, updated_at) values ('a', ${at}) returning id`)
    const exchanged = repository({ renamedFrom: 'articles', fields: { name: text() } })
    await expect(generate({ posts: exchanged, articles })).rejects.toThrow(
      "'posts' was renamed from 'articles', and 'articles' from another table that is there",
    )
    const papers = repository({ renamedFrom: 'articles', fields: { name: text() } })
    await step({ papers, articles })
    expect(await project.query('select title from articles')).toEqual([['p']])
    expect(await project.query('select name from papers')).toEqual([['a']])
  })

  test.each([
    ['that was folded', text().folded()],
    ['that was not folded', text()],
  ])('a folded text is not that of a field that went, beside one %s', async (_, name) => {
    await step(notes({ title: text().folded().column('heading'), name }))
    await insert('heading, title_folded, name', `'T', 't', 'N'`)
    await step(notes({ title: text().folded().renamedFrom('name') }))
    expect(await project.query('select title, title_folded from notes')).toEqual([['N', null]])
  })

  test('a folded text is that of a value that was converted while it was renamed', async () => {
    await step(notes({ name: text().max(20).folded() }))
    await insert('name, name_folded', `'Larger', 'larger'`)
    await step(notes({ title: text().max(3).folded().renamedFrom('name') }))
    expect(await project.query('select title, title_folded from notes')).toEqual([['Lar', null]])
  })

  test('without the word the table goes, and the other keeps its rows', async () => {
    const others = repository({ fields: { name: text() } })
    await step({ posts, articles: others })
    await project.query(`insert into articles (name, updated_at) values ('a', ${at}) returning id`)
    await step({ articles: others })
    expect(await project.query('select name from articles')).toEqual([['a']])
  })
})

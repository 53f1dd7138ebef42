/** `renamedFrom` onto a table that goes in the same step: which rows are meant is asked before anything is written. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildBlueprint } from '../../generator/blueprint/blueprint.js'
import { defineManifest, repository, text } from '../../generator/index.js'
import { databases } from '../support/databases.js'
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

  test('without the word the table goes, and the other keeps its rows', async () => {
    const others = repository({ fields: { name: text() } })
    await step({ posts, articles: others })
    await project.query(`insert into articles (name, updated_at) values ('a', ${at}) returning id`)
    await step({ articles: others })
    expect(await project.query('select name from articles')).toEqual([['a']])
  })
})

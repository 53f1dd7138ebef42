import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, isTold } from '../../support/databases.js'
import { fill } from '../write/folder.js'
import { migrating, now, rows } from './migrating.js'

describe.each(databases)('svc migrate and what is renamed on %s', (database) => {
  const project = migrating(database)
  const { read, change, ask, ok, renamePostsToArticles } = project

  test('a rename of a field, a relation and a repository, saved and deployed, keeps every row', async () => {
    await ok('migrate')
    await ask(rows)
    change('manifest/posts.ts', "title: 'title'", "title: 'headline'")
    change('manifest/posts.ts', "searchable: ['title'", "searchable: ['headline'")
    change('manifest/posts.ts', "'id', 'title'", "'id', 'headline'")
    change(
      'manifest/posts.ts',
      'title: text().max(160)',
      "headline: text().max(160).renamedFrom('title')",
    )
    change(
      'manifest/posts.ts',
      "owner: belongsTo('users', { filledBy: 'user' })",
      "writer: belongsTo('users', { filledBy: 'user' }).renamedFrom('owner')",
    )
    renamePostsToArticles()
    await ok('generate')
    expect(await ok('migrate', 'save', 'articles')).toContain('RENAME')
    await ok('migrate', 'deploy')
    expect(await ask('select id, headline, writer_id from articles order by id')).toEqual([
      { id: 1, headline: 'First', writer_id: 1 },
      { id: 2, headline: 'Second', writer_id: 1 },
    ])
    expect(await ok('generate', '--check')).toContain('unchanged')
    expect(await ok('migrate', 'status')).toMatch(
      /^applied {2}\d{14}_init\napplied {2}\d{14}_articles\n$/,
    )
  })

  /** Posts are called stories, and have notes and marks, with rows. */
  const startWithStories = async () => {
    change('manifest/posts.ts', 'posts = repository({', "posts = repository({\n  name: 'Story',")
    fill(project.root, {
      'manifest/notes.ts': `import { belongsTo, morphTo, repository, text } from 'svckit'

export const notes = repository({ fields: { body: text() }, related: { story: belongsTo('posts') } })
export const marks = repository({ fields: { word: text() }, related: { markable: morphTo() } })
`,
      'manifest/index.ts': read('manifest/index.ts')
        .replace('{ users, posts }', '{ users, posts, notes, marks }')
        .replace('import { users }', "import { marks, notes } from './notes.js'\nimport { users }"),
    })
    change(
      'manifest/posts.ts',
      'related: {',
      "related: {\n    marks: morphMany({ name: 'markable' }),",
    )
    change('manifest/posts.ts', 'import { ', 'import { morphMany, ')
    await ok('generate')
    await ok('migrate')
    await ok('migrate', 'save', 'start')
    await ok('migrate')
    await ask(`${rows}
        insert into notes (body, story_id, updated_at) values ('n', 2, ${now});
        insert into marks (word, markable_type, markable_id, updated_at) values ('m', 'posts', 1, ${now})`)
  }
  const renameToArticles = async () => {
    fill(project.root, {
      'app/Policies/StoryPolicy.ts': `${read('app/Policies/StoryPolicy.ts')}// mine\n`,
    })
    change(
      'manifest/posts.ts',
      "posts = repository({\n  name: 'Story',",
      "articles = repository({\n  renamedFrom: 'posts',",
    )
    fill(project.root, {
      'manifest/index.ts': read('manifest/index.ts').replaceAll(/\bposts\b(?!\.js)/g, 'articles'),
    })
    change('manifest/users.ts', 'posts: hasMany()', 'articles: hasMany()')
    change('manifest/notes.ts', "story: belongsTo('posts')", "article: belongsTo('articles')")
    await ok('generate')
    expect(read('app/Policies/ArticlePolicy.ts')).toMatch(/export const ArticlePolicy[^]*\/\/ mine/)
    await ok('migrate')
    expect(await ask('select body, article_id from notes')).toEqual([{ body: 'n', article_id: 2 }])
    expect(await ask('select markable_type from marks')).toEqual([{ markable_type: 'articles' }])
  }
  /** Once more, before it is saved: the repository from the name between, the field from the one that is saved. */
  const renameToEssays = async () => {
    change('manifest/posts.ts', "renamedFrom: 'posts'", "renamedFrom: 'articles'")
    change('manifest/posts.ts', 'articles = repository({', 'essays = repository({')
    fill(project.root, {
      'manifest/index.ts': read('manifest/index.ts').replaceAll(/\barticles\b(?!\.js)/g, 'essays'),
    })
    change('manifest/users.ts', 'articles: hasMany()', 'essays: hasMany()')
    change('manifest/notes.ts', "article: belongsTo('articles')", "essay: belongsTo('essays')")
    change('manifest/notes.ts', 'body: text()', "content: text().renamedFrom('body')")
    await ok('generate')
    await ok('migrate')
    change(
      'manifest/notes.ts',
      "content: text().renamedFrom('body')",
      "words: text().renamedFrom('body')",
    )
    await ok('generate')
    await ok('migrate')
    expect(await ask('select words, essay_id from notes')).toEqual([{ words: 'n', essay_id: 2 }])
    expect(await ask('select markable_type from marks')).toEqual([{ markable_type: 'essays' }])
    change('manifest/notes.ts', "words: text().renamedFrom('body')", 'body: text()')
    await ok('generate')
    await ok('migrate')
    expect(await ask('select body from notes')).toEqual([{ body: 'n' }])
  }

  if (isTold(database, 'sqlite'))
    test('a repository with a name of its own is followed, and so are its files', async () => {
      await startWithStories()
      await renameToArticles()
      await renameToEssays()
      await ok('migrate', 'save', 'essays')
      await ok('migrate')
      expect(await ask('select count(*) as number from essays')).toEqual([
        { number: database === 'sqlite' ? 2 : '2' },
      ])
    })

  test('a key that changes and leaves its table takes the morph values with it', async () => {
    fill(project.root, {
      'manifest/index.ts': `import { defineManifest, morphMany, morphTo, repository, text } from 'svckit'

const key = { fields: { title: text() }, related: { marks: morphMany({ name: 'markable' }) } }
export default defineManifest({
  database: '${database}',
  repositories: { 'blog-posts': repository({ ...key }), marks: repository({ fields: { word: text() }, related: { markable: morphTo() } }) },
})
`,
    })
    change('config/svc.ts', "user_model: 'users'", 'user_model: null')
    rmSync(join(project.root, 'prisma/migrations'), { recursive: true })
    await ok('generate')
    await ok('migrate')
    await ask(`insert into blog_posts (title, updated_at) values ('a', ${now});
        insert into marks (word, markable_type, markable_id, updated_at) values ('m', 'blog-posts', 1, ${now})`)
    change(
      'manifest/index.ts',
      "'blog-posts': repository({ ...key })",
      "blog_posts: repository({ renamedFrom: 'blog-posts', ...key })",
    )
    await ok('generate')
    await ok('migrate')
    expect(await ask('select markable_type from marks')).toEqual([{ markable_type: 'blog_posts' }])
    await ok('migrate', 'save', 'key')
    await ok('migrate')
    expect(await ok('generate')).not.toContain('draft')
  })
})

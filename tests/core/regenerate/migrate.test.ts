import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, isTold } from '../../support/databases.js'
import { linkDependencies, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'
import { migrating, rows } from './migrating.js'

describe.each(databases)('svc migrate, saved and deployed, on %s', (database) => {
  const project = migrating(database)
  const { read, change, ask, ok, addSlug } = project

  if (isTold(database, 'sqlite'))
    test('a change that drops data is reported with the number of rows, and saved only with --accept-data-loss', async () => {
      await ok('migrate')
      await ask(rows)
      change('manifest/posts.ts', 'body: textarea(),', '')
      change('manifest/posts.ts', "['title', 'body']", "['title']")
      await ok('generate')
      const { code, out, errors } = await svc(project.root, 'migrate', 'save', 'no_body')
      expect(code).toBe(1)
      expect(out).toContain("  drops the column 'body' of 'posts' with all its values\n")
      expect(out).toContain('  posts.body: 2 values\n')
      expect(errors).toContain('svc migrate save no_body --accept-data-loss')
      const draft = 'prisma/migrations/draft.sql'
      expect(read(draft)).toContain('Careful')
      // Nobody saves it unasked by taking the warning out of the file.
      fill(project.root, { [draft]: read(draft).replace(/^-- Careful.*\n/gm, '') })
      expect((await svc(project.root, 'migrate', 'save', 'no_body')).code).toBe(1)
      await ok('migrate', 'save', 'no_body', '--accept-data-loss')
      expect(Object.keys(textsOf(project.root))).not.toContain('prisma/migrations/draft.sql')
      expect(await ok('migrate', 'save', 'again')).toContain('Nothing to save')
    })

  if (isTold(database, 'postgresql'))
    test('a saved migration that fails is never recorded, whatever is accepted', async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text()')
      await ok('generate')
      const unsaved = textsOf(project.root)
      rmSync(join(project.root, 'node_modules'))
      await ok('migrate', 'save', 'slug')
      linkDependencies(project.root)
      for (const line of [[], ['--accept-data-loss']]) {
        expect((await svc(project.root, 'migrate', ...line)).code).toBe(1)
      }
      const { errors } = await svc(project.root, 'migrate', 'deploy')
      expect(errors).toContain(
        "It makes 'slug' of 'posts' required, and rows without a value stop it.\n",
      )
      expect(errors).toContain('npx --no svc generate --fill posts.slug=<value>, and save it again')
      expect(errors).toMatch(/npx prisma@7\.10\.0 migrate resolve --applied \d{14}_slug\n$/)
      expect(errors).not.toContain('correct it')
      change('manifest/posts.ts', 'body: textarea(),', '')
      change('manifest/posts.ts', "['title', 'body']", "['title']")
      await ok('generate')
      expect((await svc(project.root, 'migrate', '--accept-data-loss')).code).toBe(1)
      const { applied } = JSON.parse((await svc(project.root, 'migrate', 'status', '--json')).out)
      expect(applied).toEqual([expect.stringMatching(/_init$/)])
      expect(await ask('select body from posts order by id')).toEqual([
        { body: 'a' },
        { body: 'b' },
      ])
      // The advice can be followed.
      rmSync(join(project.root, 'prisma/migrations'), { recursive: true })
      const migrations = Object.entries(unsaved).filter(([path]) =>
        /^prisma\/migrations\/(\d+_init|base|migration_lock)/.test(path),
      )
      fill(project.root, {
        ...Object.fromEntries(migrations),
        'manifest/posts.ts': unsaved['manifest/posts.ts'] ?? '',
      })
      await ok('generate', '--fill', 'posts.slug=none')
      await ok('migrate', 'save', 'again')
      await ok('migrate', 'deploy')
      expect(await ask('select slug from posts')).toEqual([{ slug: 'none' }, { slug: 'none' }])
    })

  if (isTold(database, 'postgresql'))
    test('what is written into the draft after a database took it is run there, once', async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text().nullable()')
      await ok('generate')
      await ok('migrate')
      const draft = 'prisma/migrations/draft.sql'
      const own = `UPDATE "posts" SET "slug" = 'by; hand' || id; -- mine`
      fill(project.root, { [draft]: `${read(draft)}\n-- from the titles\n${own}\n` })
      await ok('migrate')
      expect(await ask('select slug from posts order by id')).toEqual([
        { slug: 'by; hand1' },
        { slug: 'by; hand2' },
      ])
      fill(project.root, {
        [draft]: `${read(draft)}UPDATE "posts" SET "slug" = "slug" || '!';\n`,
      })
      await ok('migrate', 'save', 'slug')
      await ok('migrate')
      await ok('migrate')
      expect(await ask('select slug from posts order by id')).toEqual([
        { slug: 'by; hand1!' },
        { slug: 'by; hand2!' },
      ])
      expect(await ok('migrate', 'status')).toMatch(
        /^applied {2}\d{14}_init\napplied {2}\d{14}_slug\n$/,
      )
    })

  if (isTold(database, 'postgresql'))
    test('what a colleague wrote into a saved migration is run beside a draft', async () => {
      await ok('migrate')
      await ask(rows)
      const mine = read('manifest/posts.ts')
      addSlug('text().nullable()')
      await ok('generate')
      rmSync(join(project.root, 'node_modules'))
      await ok('migrate', 'save', 'theirs')
      linkDependencies(project.root)
      const [theirs = ''] = Object.keys(textsOf(project.root)).filter((path) =>
        path.endsWith('_theirs/migration.sql'),
      )
      const saved = { [theirs]: `${read(theirs)}UPDATE posts SET slug = 'filled';\n` }
      const base = { 'prisma/migrations/base.prisma': read('prisma/migrations/base.prisma') }
      rmSync(join(project.root, theirs))
      fill(project.root, {
        'manifest/posts.ts': mine.replace(
          'body: textarea(),',
          'body: textarea(),\n    note: text().nullable(),',
        ),
      })
      fill(project.root, {
        'prisma/migrations/base.prisma': read('prisma/migrations/base.prisma').replace(
          /^ +slug .*\n/m,
          '',
        ),
      })
      await ok('generate')
      await ok('migrate')
      fill(project.root, { ...saved, ...base })
      addSlug('text().nullable()')
      await ok('generate')
      expect(await ok('migrate')).toContain("UPDATE posts SET slug = 'filled';")
      expect(await ask('select slug from posts')).toEqual([{ slug: 'filled' }, { slug: 'filled' }])
      expect(await ok('migrate', 'status')).toMatch(/applied {2}\d{14}_theirs$/m)
    })

  if (isTold(database, 'sqlite'))
    test('status names a changed, a missing and a failed migration, each with the way out', async () => {
      await ok('migrate')
      await ask(`insert into _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
      values ('1', 'x', null, '0_broken', ${database === 'sqlite' ? '1' : 'now()'}, 0)`)
      await ask(`insert into _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
      values ('2', 'x', ${database === 'sqlite' ? '1, ' : 'now(), '} '0_gone', ${database === 'sqlite' ? '1' : 'now()'}, 1)`)
      const [init = ''] = Object.keys(textsOf(project.root)).filter((path) =>
        path.endsWith('_init/migration.sql'),
      )
      fill(project.root, { [init]: `${read(init)}-- mine\n` })
      const { code, out } = await svc(project.root, 'migrate', 'status')
      expect(code).toBe(1)
      expect(out).toMatch(/^failed {3}0_broken$/m)
      expect(out).toMatch(/^missing {2}0_gone$/m)
      expect(out).toMatch(/^changed {2}\d{14}_init$/m)
      expect(out).toContain('npx prisma@7.10.0 migrate resolve --rolled-back 0_broken')
      expect(
        JSON.parse((await svc(project.root, 'migrate', 'status', '--json')).out).drift,
      ).toHaveLength(3)
    })

  test('undo refuses when the migrations of the run were applied since', async () => {
    change(
      'manifest/posts.ts',
      'body: textarea(),',
      'body: textarea(),\n    note: text().nullable(),',
    )
    await ok('migrate')
    await ok('generate')
    await ok('migrate')
    const { code, errors } = await svc(project.root, 'undo')
    expect(code).toBe(1)
    expect(errors).toContain('prisma/migrations/draft.sql')
    expect(read('manifest/posts.ts')).toContain('note')
    expect(read('app/Models.ts')).toContain('note')
  })
})

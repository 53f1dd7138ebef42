/** Two branches saved migrations of one column; git knows lines, and not what a database does with them. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { runs } from '../../support/runs.js'
import { linkDependencies, savedProject, svc } from '../cli/project.js'
import { query } from './query.js'

scriptsShareAProcess()

const identity = ['user.name=Ada', 'user.email=ada@example.com', 'commit.gpgsign=false']
const at = `'2026-01-01T00:00:00.000+00:00'`
const rows = `insert into users (name, email, password, updated_at) values ('Ada', 'a@b.c', '!', ${at});`

type Branch = 'rename' | 'empty'

const edits: Readonly<Record<Branch, (text: string) => string>> = {
  rename: (text) =>
    text
      .replaceAll(`'title'`, `'headline'`)
      .replace('title: text().max(160)', `headline: text().max(160).renamedFrom('title')`),
  empty: (text) => text.replace('title: text().max(160)', 'title: text().max(160).nullable()'),
}
const merged = `headline: text().max(160).nullable().renamedFrom('title'),`

async function twoBranches(
  database: 'sqlite' | 'postgresql',
  [first, second]: readonly [Branch, Branch],
) {
  const root = await savedProject('--database', database)
  linkDependencies(root)
  const names = [first, second, 'fresh', 'deployed'] as const
  const urls = new Map<string, string>()
  for (const name of names) {
    const file = `file:${join(root, `storage/${name}.sqlite`)}`
    urls.set(name, database === 'sqlite' ? file : await freshDatabase())
  }
  const git = (...words: string[]) =>
    String(
      execFileSync('git', [...identity.flatMap((each) => ['-c', each]), ...words], {
        cwd: root,
        stdio: 'pipe',
      }),
    )
  const on = async (name: string, ...line: string[]) => {
    process.env['DATABASE_URL'] = urls.get(name)
    const { code, out, errors } = await svc(root, ...line)
    return { code, said: out + errors }
  }
  const ok = async (name: string, ...line: string[]) => {
    const { code, said } = await on(name, ...line)
    expect([line, code], said).toEqual([line, 0])
    return said
  }
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')))
  const commit = (text: string) => {
    git('add', '--all', '--', ':!node_modules')
    git('commit', '-q', '-m', text)
  }
  const ask = (name: string, sql: string) => query(database, urls.get(name) ?? '', sql)
  const folder = (name: string) =>
    readdirSync(join(root, 'prisma/migrations')).find((each) => each.endsWith(`_${name}`)) ?? ''

  // The next run writes the parts of a document that git cannot merge.
  edit('manifest/index.ts', (text) =>
    text.replace('defineManifest({', 'defineManifest({\n  openapi: false,'),
  )
  await ok('fresh', 'generate', '--no-compile')
  git('init', '-q', '-b', 'main')
  commit('all')
  for (const name of [first, second]) {
    git('switch', '-q', '-c', name, 'main')
    await ok(name, 'migrate', 'deploy')
    const column = `insert into posts (title, body, owner_id, updated_at) values ('First', 'a', 1, ${at})`
    await ask(name, `${rows} ${column}`)
    edit('manifest/posts.ts', edits[name])
    await ok(name, 'generate', '--no-compile')
    await ok(name, 'migrate')
    await ok(name, 'migrate', 'save', name)
    if (name === second) await ok('deployed', 'migrate', 'deploy')
    commit(name)
  }
  expect(() => git('merge', '-q', first)).toThrow()
  edit('manifest/posts.ts', (text) => text.replace(/ *<{7} [^]*?>{7} .*\n/, `    ${merged}\n`))
  return { root, on, ok, ask, git, commit, edit, folder }
}

/** Which branch saved first: the other order asks for the same steps. */
const orders: readonly (readonly [readonly [Branch, Branch]])[] = [
  [['empty', 'rename']],
  ...(runs(1) > 1 ? [[['rename', 'empty']] as const] : []),
]

describe.each(toldOn('postgresql'))('two branches on %s', (database) => {
  process.env['NODE_ENV'] = 'development'
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  test.each(orders)(
    'that rename a column and change it come together by the steps that svc names: %s',
    async ([first, second]) => {
      const { root, on, ok, ask, git, commit, folder } = await twoBranches(database, [
        first,
        second,
      ])
      const { code, said } = await on('fresh', 'generate', '--no-compile')
      expect(code, said).toBe(1)
      expect(said).toContain('prisma/migrations/')
      const migrated = await on('fresh', 'migrate')
      expect(migrated.code, migrated.said).toBe(1)

      // To the letter: the other branch is the one that git is merging.
      const [, checkout = ''] = /(git checkout [^,)]+)/.exec(said) ?? []
      git(...checkout.replace('<the other branch>', first).split(' ').slice(1))
      rmSync(join(root, 'prisma/migrations', folder(second)), { recursive: true })
      await ok('fresh', 'generate', '--no-compile')
      // By another name: what is saved within the same second, by the same one, would be the folder that was deleted.
      const saved = await ok('fresh', 'migrate', 'save', `${second}_again`)
      expect(saved).not.toContain('DROP COLUMN')
      commit('merged')
      await ok('fresh', 'generate', '--check')
      // The development databases of both took drafts, and go on from there.
      for (const name of ['fresh', first, second]) await ok(name, 'migrate')
      for (const name of [first, second]) {
        expect(await ask(name, 'select headline from posts')).toEqual([{ headline: 'First' }])
      }
      const deployed = await on('deployed', 'migrate')
      expect([deployed.code, deployed.said]).toEqual([
        1,
        expect.stringContaining('one that is made anew'),
      ])
    },
  )

  test('are refused on a database that has applied the later one, with the way out', async () => {
    const { on, ok, edit, git, folder, root } = await twoBranches(database, ['empty', 'rename'])
    // The lines of both sides are not what both lead to.
    const torn = readFileSync(join(root, 'prisma/migrations/base.prisma'), 'utf8')
    edit('prisma/migrations/base.prisma', (text) => text.replaceAll(/^(<{7}|={7}|>{7}).*\n/gm, ''))
    expect(await on('fresh', 'generate', '--no-compile')).toEqual({
      code: 1,
      said: expect.stringContaining(`it has 'title' of 'posts', which ${folder('rename')} renamed`),
    })
    writeFileSync(join(root, 'prisma/migrations/base.prisma'), torn)
    // Both migrations stay, in the order in which they can run.
    edit('prisma/migrations/base.prisma', (text) =>
      text
        .replaceAll(/<{7} .*\n([^]*?)={7}\n[^]*?>{7} .*\n/g, '$1')
        .replace(/headline( +)String /, 'headline$1String?')
        .replace('[title(', '[headline('),
    )
    await ok('fresh', 'generate', '--no-compile')
    await ok('fresh', 'migrate', 'deploy')
    for (const line of [['migrate'], ['migrate', 'deploy']]) {
      const { code, said } = await on('deployed', ...line)
      expect([line, code, said]).toEqual([
        line,
        1,
        expect.stringContaining(`${folder('rename')} renamed to 'headline' on another branch`),
      ])
    }
    git('checkout', 'rename', '--', 'prisma/migrations/base.prisma')
    rmSync(join(root, 'prisma/migrations', folder('empty')), { recursive: true })
    await ok('fresh', 'generate', '--no-compile')
    await ok('fresh', 'migrate', 'save', 'empty')
    await ok('deployed', 'migrate')
  })
})

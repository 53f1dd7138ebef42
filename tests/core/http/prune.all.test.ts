/** `npm run prune`: what has been in the trash for longer than its repository keeps it goes for good, and nothing else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generateInto } from '../../support/generate.js'
import { manifestFrom, openManifest } from '../../support/own-manifest.js'
import { program } from '../../support/program.js'
import {
  databases,
  linkModules,
  openFolder,
  type DatabaseName,
  type Project,
} from '../../support/project.js'
import { svc } from '../cli/project.js'

const manifest = 'tests/core/http/manifests/prune.ts'

/** With its first migration saved, as a server in production has it. */
async function openSaved(name: DatabaseName): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-prune-'))
  await mkdir(join(folder, 'manifest'))
  await writeFile(join(folder, 'manifest/index.ts'), manifestFrom({ manifest }, name))
  await linkModules(folder)
  await generateInto(folder)
  expect((await svc(folder, 'migrate', 'save', 'init')).code).toBe(0)
  return openFolder(folder, name)
}

const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString()

describe.each(databases)('the trash on %s', (name) => {
  let project: Project
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    project = await openSaved(name)
    env = { ...process.env }
  })
  afterAll(() => project.close())

  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  beforeEach(async () => {
    for (const table of ['links', 'notes', 'pages', 'files', 'folders']) {
      await run(`delete from ${table}`)
    }
  })

  /** Runs the script of package.json. */
  async function prune(): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
    const scripts = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8')).scripts
    expect(scripts.prune).toBe('tsx app/prune.ts')
    const child = spawn(process.execPath, [await program(project.folder, 'app/prune.ts')], {
      cwd: project.folder,
      env,
    })
    const [out, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ])
    return { code, lines: (out + errors).trim().split('\n') }
  }
  const said = (pages: string, folders: string) => ({
    code: 0,
    lines: [
      `pages: ${pages} (in the trash for more than 7 days)`,
      `folders: ${folders} (in the trash for more than 30 days)`,
    ],
  })
  const ids = async () => {
    const all: Record<string, unknown[]> = {}
    for (const table of ['folders', 'files', 'pages', 'notes']) {
      all[table] = (await run(`select id from ${table} order by id`)).map(([id]) => Number(id))
    }
    return all
  }
  const folder = (id: number, deleted_at: string | null = null) =>
    project.insert('folders', { id, name: '', deleted_at })
  const file = (id: number, folder_id: number, removed_at: string | null = null) =>
    project.insert('files', { id, name: '', folder_id, removed_at })
  const page = (id: number, file_id: number, deleted_at: string | null = null) =>
    project.insert('pages', { id, name: '', file_id, deleted_at })
  const note = (id: number, noteable_id: number, deleted_at: string | null) =>
    project.insert('notes', { id, name: '', noteable_type: 'folders', noteable_id, deleted_at })

  it('goes with what went along with it, each repository after its own time', async () => {
    const [old, week, young] = [days(31), days(8), days(6)]
    await folder(1, old)
    await file(1, 1, old)
    await page(1, 1, old)
    await note(1, 1, old)
    await folder(2, days(29))
    await file(2, 2, days(29))
    await folder(3)
    await file(3, 3, days(400))
    await page(3, 3, week)
    await page(4, 3, young)
    await note(3, 3, days(400))
    expect(await prune()).toEqual(
      said('2 deleted for good', '1 deleted for good, 2 that went along with them'),
    )
    const left = { folders: [2, 3], files: [2, 3], pages: [4], notes: [3] }
    expect(await ids()).toEqual(left)
    expect(await prune()).toEqual(said('0 deleted for good', '0 deleted for good'))
    expect(await ids()).toEqual(left)
  })

  it('keeps what others point at, and says so; the others of its batch go', async () => {
    for (const id of [1, 2, 3, 4, 5]) await folder(id, days(31))
    await project.insert('links', { id: 1, name: '', folder_id: 2 })
    await file(3, 3)
    // Deleted by itself, at another instant, and its own repository keeps everything.
    await file(5, 5, days(40))
    expect(await prune()).toEqual(
      said('0 deleted for good', '2 deleted for good, 3 kept, because other records point at them'),
    )
    expect(await ids()).toMatchObject({ folders: [2, 3, 5], files: [3, 5] })
  })

  it('goes by when SQL put it there, whatever form that has', async () => {
    await folder(1)
    await folder(2)
    const ago = (text: string) =>
      name === 'sqlite' ? `datetime('now', '-${text}')` : `now() - interval '${text}'`
    await run(`update folders set deleted_at = ${ago('30 days')} where id = 1`)
    const hour = name === 'sqlite' ? `datetime('now', '-30 days', '+1 hours')` : ago('719 hours')
    await run(`update folders set deleted_at = ${hour} where id = 2`)
    expect((await prune()).code).toBe(0)
    expect(await ids()).toMatchObject({ folders: [2] })
  })

  it('goes once where two run it, batch by batch', async () => {
    const count = 1_100
    const numbers =
      name === 'sqlite'
        ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n`
        : `select i from generate_series(1, ${count}) i`
    const at = `'${days(40)}'`
    await run(
      `insert into folders (id, name, created_at, updated_at, deleted_at) select i, '', ${at}, ${at}, ${at} from (${numbers}) x`,
    )
    await run(
      `insert into files (id, name, folder_id, created_at, updated_at, removed_at) select i, '', i, ${at}, ${at}, ${at} from (${numbers}) x`,
    )
    const both = await Promise.all([prune(), prune()])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const found = both.map(({ lines }) =>
      /^folders: (\d+) deleted for good(?:, (\d+) that went along with them)? \(/.exec(
        lines[1] ?? '',
      ),
    )
    const sum = (at: number) => found.reduce((all, each) => all + Number(each?.[at] ?? 0), 0)
    expect([sum(1), sum(2)]).toEqual([count, count])
    expect(await ids()).toMatchObject({ folders: [], files: [] })
  })
})

it('is no script of a project that keeps everything', async () => {
  const project = await openManifest({ manifest: 'tests/core/http/manifests/kept.ts' }, 'sqlite')
  const text = readFileSync(join(project.folder, 'package.json'), 'utf8')
  expect([text.includes('prune'), existsSync(join(project.folder, 'app/prune.ts'))]).toEqual([
    false,
    false,
  ])
  await project.close()
})

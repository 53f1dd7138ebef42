/** Each feature of writes on, off and on again in a project that has rows and edits: nothing is lost, and it compiles. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'
import { runs } from '../../support/runs.js'
import { typeCheck } from '../../support/type-check.js'
import { liveProject } from './live-project.js'

interface Feature {
  /** Of the manifest. */
  readonly option?: string
  /** Of the repository `books`. */
  readonly said?: string
  /** Edits of the owner while the feature is on: [file, text, replacement]. */
  readonly edits?: readonly (readonly [path: string, from: string, to: string])[]
  /** A file whose edits mean nothing without it, so that `svc generate` names it: the owner takes them out. */
  readonly named?: string
  /** Written while it is on. */
  readonly row?: string
  /** The question before something is lost: nothing else is. */
  readonly loses?: RegExp
}

const policy = 'app/Policies/BookPolicy.ts'
const hooks = 'app/Hooks/BookHooks.ts'

const features: Readonly<Record<string, Feature>> = {
  versioned: { said: 'versioned: true,', loses: /version/ },
  softDeletes: {
    said: 'softDeletes: true,',
    // Decisions that do not compile while they are missing.
    edits: [
      [
        policy,
        '  delete: () => false,',
        '  delete: () => false,\n  restore: () => true,\n  forceDelete: () => false,',
      ],
    ],
    named: policy,
  },
  bulk: {
    said: 'bulk: true,',
    edits: [
      [
        policy,
        '  update: () => false,',
        '  update: () => false,\n  bulk: (user) => user !== null,',
      ],
    ],
    named: policy,
  },
  upsertBy: { said: "upsertBy: ['code']," },
  idempotency: {
    option: 'idempotency: true,',
    row: `insert into idempotency_keys (key, fingerprint, attempt, running_until, expires_at) values ('k', 'f', 'a', '2030-01-01', '2030-01-01') returning key`,
    loses: /idempotency_keys/,
  },
  dryRun: { option: 'dryRun: true,' },
  messages: {
    option: "messages: ['it'],",
    edits: [['config/messages.ts', "'The {field} field is required.'", "'Manca {field}.'"]],
  },
  hooks: {
    said: "hooks: 'inside',",
    edits: [
      [hooks, 'BookModel, HooksFor }', 'BookModel, InsideHooksFor }'],
      [
        hooks,
        ': HooksFor<BookModel> = {',
        ': InsideHooksFor<BookModel> = {\n  insideStore: () => {},',
      ],
    ],
    named: hooks,
  },
}

// One after the other in the long run: each state is migrated and compiled.
const asked: readonly (readonly [string, readonly Feature[]])[] =
  runs(1) > 1
    ? Object.entries(features).map(([name, feature]) => [name, [feature]])
    : [['all of them', Object.values(features)]]
const usual = databases.filter((name) => name === 'sqlite' || runs(1) > 1)

describe.each(usual)('on %s', (database) => {
  const { ok, run, path, asked: query, manifest } = liveProject(database)

  const become = (on: readonly Feature[]) => {
    const said = on.map((each) => each.said ?? '').join(' ')
    const known = said.includes('hooks:') ? said : `${said} hooks: true,`
    manifest(
      `${users} books: repository({ ${known} fields: { name: text(), code: text().max(20).unique() } }),`,
      on.map((each) => each.option ?? '').join(' '),
    )
    return ok('generate')
  }
  const read = (file: string) => readFileSync(path(file), 'utf8')
  const edit = (file: string, from: string, to: string) => {
    const before = read(file)
    expect(before).toContain(from)
    writeFileSync(path(file), before.replace(from, to))
  }
  const rows = () => query('select id, name, code from books order by id')
  const compiles = () => {
    expect(typeCheck(path('.'))).toBe('')
  }

  test.each(asked)('%s', async (_, on) => {
    await become([])
    await ok('migrate')
    edit(policy, 'show: () => false', "show: () => ({ name: { not: 'hidden' } })")
    edit(
      hooks,
      'BookHooks: HooksFor<BookModel> = {',
      `BookHooks: HooksFor<BookModel> = {
  beforeStore: (_, { name }) => ({ name: name?.trim() ?? '' }),`,
    )
    const at = `'2026-01-01T00:00:00.000+00:00'`
    await query(
      `insert into books (name, code, updated_at) values ('a', '1', ${at}), ('b', '2', ${at}) returning id`,
    )
    const before = await rows()
    const first: Readonly<Record<string, string>> = { [policy]: read(policy), [hooks]: read(hooks) }
    const mine: Record<string, string> = { ...first }
    for (const round of [0, 1]) {
      await become(on)
      await ok('migrate')
      expect(await rows()).toEqual(before)
      for (const [file, text] of Object.entries(mine)) expect(read(file)).toBe(text)
      for (const [file, from, to] of on.flatMap(({ edits = [] }) => edits)) {
        if (!read(file).includes(to)) edit(file, from, to)
        mine[file] = read(file)
      }
      expect(await ok('generate', '--no-compile')).toContain('unchanged')
      await query(`update books set name = name where id = 1`)
      for (const row of on.flatMap((each) => each.row ?? [])) await query(row)
      compiles()
      if (round === 1) return
      const said = await become([])
      for (const file of on.flatMap(({ named = [] }) => named)) {
        expect(said).toMatch(new RegExp(String.raw`no longer compiles?:[^]*${file}:\d+:\d+ `))
        writeFileSync(path(file), first[file] ?? '')
        mine[file] = read(file)
      }
      const lost = on.flatMap(({ loses }) => loses ?? [])
      if (lost.length > 0) {
        const { code, out, errors } = await run('migrate')
        expect(code).not.toBe(0)
        for (const each of lost) expect(out + errors).toMatch(each)
      }
      await ok('migrate', ...(lost.length > 0 ? ['--accept-data-loss'] : []))
      expect(await rows()).toEqual(before)
      for (const [file, text] of Object.entries(mine)) expect(read(file)).toBe(text)
      compiles()
    }
  })
})

import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { disk, type Files } from '../../../generator/write/files.js'
import { prepare } from '../../../generator/write/prepare.js'
import { alone } from '../../../generator/write/run/run-lock.js'
import { undo } from '../../../generator/write/run/undo.js'
import { baseOf } from './base.js'
import { folder, fill, target, textsOf, watched, type Texts } from './folder.js'
import { rendered, run, statuses, stop } from './run.js'

const text = 'export const one = 1\n'
const files: Texts = { 'app/Models.ts': text, 'app/Http/resources.ts': text }

/** The message a run refuses with; fails when it changed something. */
async function refusal(
  root: string,
  texts: Texts = files,
  over: Partial<Files> = {},
): Promise<string> {
  const before = textsOf(root)
  const error = await run(target(root, { ...disk, ...over }), texts).then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  expect(textsOf(root)).toEqual(before)
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

describe('what is in the way is named, and nothing is written', () => {
  test('a file where a folder should be', async () => {
    const root = folder({ app: 'mine' })
    expect(await refusal(root)).toBe(
      "Refusal: 'app' is a file, and svc needs a folder of that name: move it away.",
    )
  })

  test('a folder where a file should be', async () => {
    const root = folder({ 'app/Models.ts/mine.txt': 'mine' })
    expect(await refusal(root)).toBe(
      "Refusal: 'app/Models.ts' is a folder, and svc writes a file of that name: move it away.",
    )
  })

  test('a folder that is a link out of the project', async () => {
    const elsewhere = folder()
    const root = folder()
    symlinkSync(elsewhere, join(root, 'app'))
    expect(await refusal(root)).toBe(
      "Refusal: 'app' is a symbolic link that leads out of the project; svc does not follow it.",
    )
    expect(textsOf(elsewhere)).toEqual({})
  })

  test('a file that is a link out of the project, or to nothing', async () => {
    const root = folder({ 'app/keep.txt': '' })
    symlinkSync(join(folder({ 'a.ts': 'mine' }), 'a.ts'), join(root, 'app/Models.ts'))
    mkdirSync(join(root, 'app/Http'))
    symlinkSync(join(root, 'nowhere'), join(root, 'app/Http/resources.ts'))
    const leadsOut = (path: string) =>
      `'${path}' is a symbolic link that leads out of the project; svc does not follow it.`
    expect(await refusal(root)).toBe(
      `Refusal: ${leadsOut('app/Models.ts')}\n${leadsOut('app/Http/resources.ts')}`,
    )
  })

  test('a file that is a link within the project, when svc has to write it', async () => {
    const root = folder({ 'app/real.ts': text })
    symlinkSync(join(root, 'app/real.ts'), join(root, 'app/Models.ts'))
    await run(target(root), files)
    const changed = { ...files, 'app/Models.ts': 'export const one = 2\n' }
    expect(await refusal(root, changed)).toBe(
      "Refusal: 'app/Models.ts' is a symbolic link; svc writes files, so put the file itself there.",
    )
  })

  test.each(['.svc', '.svc/journal', 'prisma/migrations'])(
    '%s that is a link out of the project',
    async (linked) => {
      const root = folder()
      const elsewhere = folder({ 'theirs.txt': 'theirs' })
      mkdirSync(dirname(join(root, linked)), { recursive: true })
      symlinkSync(elsewhere, join(root, linked))
      const texts = { ...files, 'prisma/migrations/draft.sql': 'SELECT 1;\n' }
      expect(await refusal(root, texts)).toBe(
        `Refusal: '${linked}' is a symbolic link that leads out of the project; svc does not follow it.`,
      )
      expect(textsOf(elsewhere)).toEqual({ 'theirs.txt': 'theirs' })
    },
  )

  test('svc keeps its folder when the project may not be written itself', async () => {
    const root = folder()
    const removeFolder = () => false
    await run(target(root, { ...disk, removeFolder }), files)
    expect(textsOf(root)['app/Models.ts']).toBe(text)
    const file = join(root, 'app/Models.ts')
    expect([disk.removeFolder(file), disk.removeFolder(join(root, 'none'))]).toEqual([false, false])
  })

  test('a read-only file, and a read-only folder', async () => {
    const root = folder({ 'app/Models.ts': text })
    await run(target(root), files)
    const changed = { 'app/Models.ts': 'export const one = 2\n', 'app/Http/resources.ts': text }
    const isWritable = (path: string) => path !== join(root, 'app/Models.ts')
    expect(await refusal(root, changed, { isWritable })).toBe(
      "Refusal: 'app/Models.ts' is read-only, and svc has something to write there.",
    )
    const frozen = { isWritable: (path: string) => path !== join(root, 'app/Http') }
    expect(await refusal(root, { ...files, 'app/Http/New/file.ts': text }, frozen)).toBe(
      "Refusal: 'app/Http' is read-only, and svc has something to write there.",
    )
  })

  test('a full disk', async () => {
    const root = folder({ 'mine.txt': 'mine' })
    const write = (path: string, content: string) => {
      if (path.endsWith('after/1'))
        throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
      disk.write(path, content)
    }
    expect(await refusal(root, files, { write })).toBe(
      'Refusal: Nothing was changed: the disk is full.\n  ENOSPC: no space left',
    )
  })

  test('a file of svc’s own that is a folder, and a folder of its own that is a file', async () => {
    const folders = [
      '.svc/base.txt',
      'svc.lock.json',
      'app/Models.ts.svc-new',
      '.svc/journal/journal.json',
    ]
    for (const path of folders) {
      const root = folder({
        'app/Models.ts': 'export const mine = 1\n',
        [`${path}/mine.txt`]: 'mine',
      })
      expect(await refusal(root), path).toMatch(/^Refusal: .*move it away\.$/)
    }
    expect(await refusal(folder({ '.svc': 'mine' }))).toContain(
      'is a file, and svc needs a folder of that name',
    )
    const root = folder()
    await run(target(root), files)
    rmSync(join(root, '.svc/base.txt'))
    fill(root, { '.svc/base.txt/mine.txt': 'mine' })
    expect(await refusal(root, { ...files, 'app/New.ts': text })).toContain(
      "base.txt' is a folder, and svc needs a file of that name",
    )
  })

  test('links out of the project among the folders that svc keeps for itself', async () => {
    for (const path of ['.svc', 'prisma/migrations']) {
      const elsewhere = folder()
      const root = folder()
      await run(target(root), { ...files, 'prisma/migrations/draft.sql': 'select 1;\n' })
      rmSync(join(root, path), { recursive: true })
      symlinkSync(elsewhere, join(root, path))
      const next = { ...files, 'app/New.ts': text, 'prisma/migrations/draft.sql': 'select 2;\n' }
      expect(await refusal(root, next), path).toContain(
        `'${path}' is a symbolic link that leads out of the project; svc does not follow it.`,
      )
      expect(textsOf(elsewhere)).toEqual({})
    }
  })

  test('a file that is no text', async () => {
    const root = folder()
    mkdirSync(join(root, 'app'))
    writeFileSync(join(root, 'app/Models.ts'), Buffer.from([0xff, 0xfe, 0x00]))
    expect(await refusal(root)).toMatch(/Models\.ts' is not UTF-8 text, so svc cannot compare it/)
  })
})

describe('the lock', () => {
  const lock = (svc: string) => `{\n  "svc": "${svc}",\n  "renames": []\n}\n`

  test('of a newer svc is refused', async () => {
    const root = folder({ 'svc.lock.json': lock('11.2.0') })
    expect(await refusal(root)).toBe(
      'Refusal: This project was generated by svc 11.2.0, and this is svc 10.0.0: update svckit to 11.2.0 or newer.',
    )
  })

  test.each(['', '{', '[]', '{"svc": 3}', 'null', '{"svc":"10.0.0","renames":[1]}'])(
    'that says %j is refused',
    async (broken) => {
      expect(await refusal(folder({ 'svc.lock.json': broken }))).toContain(
        "Refusal: 'svc.lock.json' cannot be read as a lock of svc.",
      )
    },
  )

  test('of two branches is joined', async () => {
    const root = folder({
      'svc.lock.json': `<<<<<<< HEAD\n${lock('9.0.0')}=======\n${lock('10.0.0')}>>>>>>> b\n`,
    })
    await run(target(root), files)
    expect(textsOf(root)['svc.lock.json']).toBe(lock('10.0.0'))
  })

  test('that is missing is written again', async () => {
    const root = folder()
    await run(target(root), files)
    rmSync(join(root, 'svc.lock.json'))
    await run(target(root), files)
    expect(textsOf(root)['svc.lock.json']).toBe(lock('10.0.0'))
  })
})

test('a missing base is said, keeps every edit, and is written again where nothing was edited', async () => {
  const root = folder()
  await run(target(root), files)
  rmSync(join(root, '.svc/base.txt'))
  fill(root, { 'app/Models.ts': `${text}// mine\n` })
  const lost = await run(target(root), files)
  expect(lost.hasLostBase).toBe(true)
  expect(statuses(lost)).toEqual(['conflict app/Models.ts'])
  const settled = await run(target(root), files, { conflicts: 'ours' })
  expect(statuses(settled)).toEqual(['keep app/Models.ts'])
  expect(textsOf(root)['app/Models.ts']).toBe(`${text}// mine\n`)
  expect(baseOf(root)).toMatchObject({ 'app/Models.ts': text })
})

test('a file may be run, or read by few, after a run as before it, and after undo', async () => {
  const root = folder()
  await run(target(root), files)
  const mode = () => statSync(join(root, 'app/Models.ts')).mode & 0o777
  chmodSync(join(root, 'app/Models.ts'), 0o700)
  await run(target(root), { ...files, 'app/Models.ts': `${text}// more\n` })
  expect(mode()).toBe(0o700)
  undo(target(root))
  expect(mode()).toBe(0o700)
})

describe('two runs at once', () => {
  const held = (pid: number) => JSON.stringify({ pid, host: hostname() })
  const gone = 2 ** 30

  test('the second is refused, and hears which process it is', async () => {
    const dev = { pid: process.ppid, host: hostname(), command: 'dev' }
    const root = folder({ '.svc/run.lock': JSON.stringify(dev) })
    expect(await refusal(root)).toBe(
      `Refusal: Another svc, process ${process.ppid} (svc dev), is writing this project, and was waited for. ` +
        'Run this again when it is done, or end it: svc then takes over its lock. ' +
        `Only if process ${process.ppid} is not svc, delete '.svc/run.lock'.`,
    )
    fill(root, { '.svc/run.lock': JSON.stringify({ ...dev, host: 'elsewhere' }) })
    expect(await refusal(root)).toContain(
      `process ${process.ppid} (svc dev) on 'elsewhere', is writing this project, and was waited for.`,
    )
  })

  test('the second waits until the first is done', async () => {
    const lock = '.svc/run.lock'
    const root = folder({ [lock]: held(process.ppid) })
    let looks = 0
    const { files: looking } = watched(() => {
      looks += 1
      if (looks === 20) rmSync(join(root, lock))
    })
    await run({ ...target(root, looking), waitMs: 60_000 }, files)
    expect(textsOf(root)['app/Models.ts']).toBe(text)
    expect(looks).toBeGreaterThan(20)
  })

  test('a lock that was cut off when the machine stopped is taken over', async () => {
    for (const cut of ['', '{"pid":1']) {
      const root = folder({ '.svc/run.lock': cut })
      await run(target(root), files)
      expect(textsOf(root)['app/Models.ts']).toBe(text)
      expect(existsSync(join(root, '.svc/run.lock'))).toBe(false)
    }
  })

  test('the lock of a process that is gone is taken over, also when its number is ours now', async () => {
    for (const pid of [gone, process.pid]) {
      const root = folder({ '.svc/run.lock': held(pid) })
      await run(target(root), files)
      expect(textsOf(root)['app/Models.ts']).toBe(text)
      expect(existsSync(join(root, '.svc/run.lock'))).toBe(false)
    }
  })

  test('whenever a second and a third come, one of them at most works at a time', async () => {
    let last = Number.POSITIVE_INFINITY
    for (let n = 1; n <= last; n += 1) {
      const root = folder({ '.svc/run.lock': held(gone) })
      const busy = { now: 0, most: 0, done: 0 }
      const work = async () => {
        busy.most = Math.max(busy.most, (busy.now += 1))
        await new Promise((resolve) => setImmediate(resolve))
        busy.now -= 1
        busy.done += 1
      }
      const others: Promise<unknown>[] = []
      const start = () => others.push(alone(target(root), work).catch(() => null))
      const { files, calls } = watched((call) => (call === n ? (start(), start()) : undefined))
      await alone(target(root, files), work).catch(() => null)
      await Promise.all(others)
      last = calls()
      expect(busy.most, `call ${n}`).toBe(1)
      await alone(target(root), work)
      expect(busy.done, `call ${n}`).toBeGreaterThan(1)
    }
    expect(last).toBeGreaterThan(8)
  })

  test('what was left by processes that were killed before they had the lock is cleared', async () => {
    const [dead, living, elsewhere] = [1, 2, 3].map(
      (n) => `.svc/run.lock.${String(n).repeat(8)}-0000-4000-8000-000000000000`,
    )
    const root = folder({
      [String(dead)]: held(gone),
      [String(living)]: held(process.ppid),
      [String(elsewhere)]: JSON.stringify({ pid: gone, host: 'elsewhere' }),
    })
    await run(target(root), files)
    const left = [dead, living, elsewhere].filter((path) => existsSync(join(root, String(path))))
    expect(left).toEqual([living, elsewhere])
  })

  test('a run does not let go of a lock that is not its own', async () => {
    const root = folder()
    await alone(target(root), async () => fill(root, { '.svc/run.lock': held(process.ppid) }))
    expect(await refusal(root)).toContain(`process ${process.ppid}`)
  })

  test('a plan made beside a run that is writing says so', async () => {
    const root = folder()
    await run(target(root), files)
    const journal = { state: 'applying', entries: [], folders: [] }
    fill(root, { '.svc/journal/journal.json': JSON.stringify(journal) })
    const plan = () => prepare(target(root), rendered(files), stop)
    await expect(plan()).rejects.toThrow('A run of svc was interrupted here.')
    fill(root, { '.svc/run.lock': held(process.ppid) })
    await expect(plan()).rejects.toThrow(`Another svc, process ${process.ppid}, is writing`)
  })
})

test('a run killed between the two halves of placing a file is taken back, whichever file it was', async () => {
  const made = {
    'app/Models.ts': text,
    'app/Http/new.ts': text,
    'app/Http/resources.ts': `${text}// a\n`,
  }
  for (let last = 1; last <= 3; last += 1) {
    const root = folder()
    await run(target(root), files)
    const before = textsOf(root)
    let placed = 0
    let isDead = false
    const place = (from: string, to: string) => {
      if (!/after\/\d+$/.test(from)) return disk.place(from, to)
      placed += 1
      if (placed < last) return disk.place(from, to)
      linkSync(from, to)
      isDead = true
      throw new Error('killed')
    }
    const killed = new Proxy<Files>(
      { ...disk, place },
      {
        get: (real, name: keyof Files) => {
          if (isDead) throw new Error('killed')
          return real[name]
        },
      },
    )
    await run(target(root, killed), made).catch(() => null)
    expect(isDead).toBe(true)
    rmSync(join(root, '.svc/run.lock'), { force: true })
    undo(target(root))
    expect(textsOf(root)).toEqual(before)
  }
})

describe('undo', () => {
  test('restores what the last writing run found, whatever ran since without writing', async () => {
    const root = folder({ 'app/Models.ts': text })
    const before = textsOf(root)
    await run(target(root), files)
    await run(target(root), files)
    expect(undo(target(root))).toMatchObject({ left: [] })
    expect(textsOf(root)).toEqual(before)
  })

  test('is refused, naming them, when files were edited since', async () => {
    const root = folder()
    await run(target(root), files)
    fill(root, { 'app/Models.ts': 'mine' })
    const after = textsOf(root)
    expect(() => undo(target(root))).toThrow('  app/Models.ts')
    expect(textsOf(root)).toEqual(after)
  })

  test('says when there is nothing to undo', async () => {
    const root = folder()
    expect(() => undo(target(root))).toThrow('There is no run to undo.')
    await run(target(root), files)
    undo(target(root))
    expect(() => undo(target(root))).toThrow('There is no run to undo.')
  })

  test('is refused when its journal cannot be read', async () => {
    const root = folder({ '.svc/journal/journal.json': '{' })
    expect(() => undo(target(root))).toThrow("'.svc/journal' cannot be read")
  })
})

test('a conflict writes nothing but the text beside the file, which goes when it is settled', async () => {
  const root = folder()
  await run(target(root), files)
  fill(root, { 'app/Models.ts': 'export const one = 100\n' })
  const changed = { 'app/Models.ts': 'export const one = 2\n', 'app/New.ts': text }
  const before = textsOf(root)
  const stopped = await run(target(root), changed)
  expect(statuses(stopped)).toContain('conflict app/Models.ts')
  expect(textsOf(root)).toEqual({ ...before, 'app/Models.ts.svc-new': 'export const one = 2\n' })
  await run(target(root), changed, { conflicts: 'ours' })
  expect(Object.keys(textsOf(root))).not.toContain('app/Models.ts.svc-new')
  expect(statuses(await run(target(root), changed))).toEqual(['keep app/Models.ts'])
})

import { appendFileSync, chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Disturbed } from '../../../generator/write/refusal.js'
import { undo } from '../../../generator/write/run/undo.js'
import { fill, folder, target, textsOf, watched, type Texts } from './folder.js'
import { run } from './run.js'

const models = 'app/Models.ts'
const lines = (...names: readonly string[]) =>
  names.map((name) => `export const ${name} = '${name}'\n`).join('')

const first: Texts = {
  [models]: lines('one', 'two', 'three', 'four', 'five'),
  'app/Old.ts': lines('old'),
}
const second: Texts = {
  [models]: lines('zero', 'one', 'two', 'three', 'four', 'five'),
  'app/Fresh.ts': lines('fresh'),
}

async function project(): Promise<string> {
  const root = folder()
  await run(target(root), first)
  return root
}

let calls = 0

/** As many as a run has that nobody disturbs. */
beforeEach(async () => {
  const disk = watched(() => {})
  await run(target(await project(), disk.files), second)
  calls = disk.calls()
})

/** Somebody saves right before the nth call. The run either saw it, or gives way and the next one sees it. */
async function disturbedAt(n: number, save: (root: string) => void): Promise<string> {
  const root = await project()
  const { files } = watched((call) => (call === n ? save(root) : undefined))
  await run(target(root, files), second).catch((error: unknown) => {
    expect(error, `call ${n}`).toBeInstanceOf(Disturbed)
  })
  return root
}

const allText = (root: string) => Object.values(textsOf(root)).join('\n')

describe('before any call of the disk, nothing is lost when a developer', () => {
  test('adds a line to a file that svc updates', async () => {
    for (let n = 1; n <= calls; n += 1) {
      const root = await disturbedAt(n, (to) => appendFileSync(join(to, models), '// mine\n'))
      expect(allText(root), `call ${n}`).toContain('// mine')
      expect(allText(root), `call ${n}`).toContain("one = 'one'")
    }
  })

  test('takes away a folder that svc writes into', async () => {
    const deep: Texts = { 'app/Deep/One.ts': lines('one'), 'app/Deep/Two.ts': lines('two') }
    const disk = watched(() => {})
    await run(target(folder(), disk.files), deep)
    for (let n = 1; n <= disk.calls(); n += 1) {
      const root = folder()
      const away = () => rmSync(join(root, 'app/Deep'), { recursive: true, force: true })
      const { files } = watched((call) => (call === n ? away() : undefined))
      await run(target(root, files), deep).catch((error: unknown) => {
        expect(error, `call ${n}`).toBeInstanceOf(Disturbed)
      })
    }
  })

  test('saves it as editors do that write beside it and rename', async () => {
    const mine = `${first[models]}// mine\n`
    for (let n = 1; n <= calls; n += 1) {
      const root = await disturbedAt(n, (to) => {
        writeFileSync(join(to, 'saving'), mine)
        renameSync(join(to, 'saving'), join(to, models))
      })
      expect(textsOf(root)[models], `call ${n}`).toContain('// mine')
      await run(target(root), second)
      expect(textsOf(root)[models], `call ${n}`).toContain('// mine')
    }
  })

  test('edits a file that svc removes', async () => {
    for (let n = 1; n <= calls; n += 1) {
      const root = await disturbedAt(n, (to) => appendFileSync(join(to, 'app/Old.ts'), '// mine\n'))
      await run(target(root), second)
      expect(textsOf(root)['app/Old.ts'], `call ${n}`).toContain('// mine')
    }
  })

  test('makes a file that svc is about to make', async () => {
    for (let n = 1; n <= calls; n += 1) {
      let isThere = true
      const root = await disturbedAt(n, (to) => {
        isThere = textsOf(to)['app/Fresh.ts'] !== undefined
        fill(to, { 'app/Fresh.ts': '// mine\n' })
      })
      expect(textsOf(root)['app/Fresh.ts'], `call ${n}, ${isThere}`).toBe('// mine\n')
    }
  })

  test('saves while a run is undone', async () => {
    const quiet = watched(() => {})
    const undone = await project()
    await run(target(undone), second)
    undo(target(undone, quiet.files))
    for (let n = 1; n <= quiet.calls(); n += 1) {
      const root = await project()
      await run(target(root), second)
      const mine = `${second[models]}// mine\n`
      const disturbing = watched((call) =>
        call === n ? fill(root, { [models]: mine }) : undefined,
      )
      try {
        undo(target(root, disturbing.files))
      } catch (error) {
        expect(String(error), `call ${n}`).toMatch(/changed after the last run/)
      }
      expect(textsOf(root)[models], `call ${n}`).toContain('// mine')
    }
  })
})

test('a run that gives way leaves the project as it was, with what was saved', async () => {
  let given = 0
  for (let n = 1; n <= calls; n += 1) {
    const root = await project()
    const before = textsOf(root)
    const save = () => appendFileSync(join(root, models), '// mine\n')
    const { files } = watched((call) => (call === n ? save() : undefined))
    const error = await run(target(root, files), second).catch((thrown: unknown) => thrown)
    const after = textsOf(root)
    if (!(error instanceof Disturbed) || `${models}.svc-old` in after) continue
    given += 1
    expect(error.message).toContain(`changed while svc was writing.\n  ${models}\n`)
    expect(after, `call ${n}`).toEqual({ ...before, [models]: `${first[models]}// mine\n` })
  }
  expect(given).toBeGreaterThan(5)
})

test('what --force replaced before it was killed is kept when the file was edited since', async () => {
  const root = await project()
  const mine = (first[models] ?? '').replace("one = 'one'", "one = 'mine, before'")
  fill(root, { [models]: mine })
  const { files } = watched(() => {
    if (textsOf(root)[models] === lines('zero')) throw new Error('killed')
  })
  const third = { ...second, [models]: lines('zero') }
  await expect(run(target(root, files), third, { force: true })).rejects.toThrow('killed')
  fill(root, { [models]: '// mine, after\n' })
  const taken = undo(target(root))
  expect(taken.left).toEqual([{ path: models, before: `${models}.svc-old` }])
  expect(textsOf(root)).toMatchObject({
    [models]: '// mine, after\n',
    [`${models}.svc-old`]: mine,
  })
})

test('a file keeps its permissions when it is updated, moved and undone', async () => {
  const root = await project()
  const mode = (path: string) => statSync(join(root, path)).mode & 0o777
  chmodSync(join(root, models), 0o750)
  await run(target(root), second)
  expect(mode(models)).toBe(0o750)
  undo(target(root))
  expect(mode(models)).toBe(0o750)
})

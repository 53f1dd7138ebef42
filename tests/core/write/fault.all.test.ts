import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { undo } from '../../../generator/write/run/undo.js'
import { failing, folder, textsOf, fill, target, type Failure, type Texts } from './folder.js'
import { run } from './run.js'

const first: Texts = {
  'app/Models.ts': 'export const one = 1\nexport const two = 2\nexport const three = 3\n',
  'app/Policies/PostPolicy.ts': 'export const show = false\n',
  'app/Old/Gone.ts': 'export const gone = true\n',
  'package.json': '{\n  "name": "blog"\n}\n',
}

const second: Texts = {
  'app/Models.ts': 'export const one = 1\nexport const two = 2\nexport const three = 4\n',
  'app/Policies/PostPolicy.ts': 'export const show = true\n',
  'app/New/Deep/Fresh.ts': 'export const fresh = true\n',
  'package.json': '{\n  "name": "blog",\n  "type": "module"\n}\n',
}

async function project(): Promise<string> {
  const root = folder()
  await run(target(root), first)
  fill(root, { 'app/Models.ts': (first['app/Models.ts'] ?? '').replace('one = 1', 'one = 100') })
  return root
}

async function countCalls(): Promise<number> {
  const { files, calls } = failing(Number.POSITIVE_INFINITY, 'once')
  await run(target(await project(), files), second)
  return calls()
}

const failures: readonly Failure[] = ['once', 'from then on']

describe.each(failures)('a call of the disk fails %s', (failure) => {
  test('the next run gives the whole new tree, whichever call it was', async () => {
    const expected = await project()
    await run(target(expected), second)
    const calls = await countCalls()
    expect(calls).toBeGreaterThan(60)
    for (let n = 1; n <= calls; n += 1) {
      const root = await project()
      await run(target(root, failing(n, failure).files), second).catch(() => null)
      release(root)
      await run(target(root), second)
      expect(textsOf(root), `call ${n}`).toEqual(textsOf(expected))
    }
  })

  test('undo gives the whole tree from before the run, or the run was over', async () => {
    const calls = await countCalls()
    for (let n = 1; n <= calls; n += 1) {
      const root = await project()
      const before = textsOf(root)
      await run(target(root, failing(n, failure).files), second).catch(() => null)
      release(root)
      const after = textsOf(root)
      const isWhole = JSON.stringify(after) === JSON.stringify(before)
      if (isWhole) continue
      undo(target(root))
      expect(textsOf(root), `call ${n}`).toEqual(before)
    }
  })
})

test('a failing undo leaves something the next undo finishes', async () => {
  for (let n = 1; n <= 80; n += 1) {
    const root = await project()
    const before = textsOf(root)
    await run(target(root), second)
    const after = textsOf(root)
    try {
      undo(target(root, failing(n, 'from then on').files))
    } catch {
      const now = textsOf(root)
      const isUntouched = JSON.stringify(now) === JSON.stringify(after)
      const isRestored = JSON.stringify(now) === JSON.stringify(before)
      if (isUntouched || !isRestored) undo(target(root))
    }
    expect(textsOf(root), `call ${n}`).toEqual(before)
  }
})

/** A killed process cannot release its lock, and this one is not dead. */
const release = (root: string) => rmSync(`${root}/.svc/run.lock`, { force: true })

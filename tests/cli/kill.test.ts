import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fill, textsOf } from '../write/folder.js'
import { build, compiled, emptyFolder, svc } from './project.js'

/** Runs `svc generate` and kills it after so many milliseconds, wherever it is. */
async function killAfter(root: string, milliseconds: number): Promise<void> {
  const env = { ...process.env, SVC_SKIP_PRISMA_CLIENT: '1' }
  const child = spawn(process.execPath, [compiled, 'generate'], { cwd: root, env, stdio: 'ignore' })
  const over = new Promise((resolve) => child.on('exit', resolve))
  await Promise.race([over, sleep(milliseconds)])
  child.kill('SIGKILL')
  await over
}

test('a run killed at any moment leaves a project that the next run makes whole', async () => {
  build()
  const whole = emptyFolder()
  await svc(whole, 'new', 'shop')
  const expected = textsOf(whole)
  const manifest = Object.entries(expected).filter(([path]) => /^shop\/manifest\/.*\.ts$/.test(path))
  const comparable = (folder: string) =>
    Object.fromEntries(
      Object.entries(textsOf(folder)).filter(([path]) => !path.includes('prisma/client/')),
    )
  for (let milliseconds = 120; milliseconds <= 400; milliseconds += 20) {
    const folder = emptyFolder()
    fill(folder, Object.fromEntries(manifest))
    await killAfter(`${folder}/shop`, milliseconds)
    const { code, errors } = await svc(`${folder}/shop`, 'generate')
    expect({ code, errors }, `${milliseconds} ms`).toEqual({ code: 0, errors: '' })
    // The projects lie in different folders, and package.json says how to get from there to svckit; both are siblings.
    expect(comparable(folder), `${milliseconds} ms`).toEqual(comparable(whole))
  }
})

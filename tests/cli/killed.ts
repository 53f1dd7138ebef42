import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkout, compiled } from './project.js'

/** Loaded before the command: its nth call that may change the disk kills the process, as a power cut would. */
const hook = (n: number) => `
import { disk } from ${JSON.stringify(pathToFileURL(join(checkout, 'dist/write/files.js')).href)}
let calls = 0
for (const name of ['write', 'rename', 'place', 'allowAs', 'remove', 'removeTree', 'removeFolder', 'makeFolder']) {
  const call = disk[name]
  disk[name] = (...given) => {
    if (++calls === ${n}) process.kill(process.pid, 'SIGKILL')
    return call(...given)
  }
}
process.on('exit', () => process.stdout.write(String(calls)))`

/** Runs `svc generate` and kills it at its nth change of the disk; says whether it came to that, and how many there were. */
export async function generateKilled(
  root: string,
  n: number,
): Promise<{ readonly isKilled: boolean; readonly calls: number }> {
  const env = { ...process.env, SVC_SKIP_PRISMA_CLIENT: '1' }
  const loaded = `data:text/javascript,${encodeURIComponent(hook(n))}`
  const child = spawn(process.execPath, ['--import', loaded, compiled, 'generate'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)))
  return { isKilled: signal === 'SIGKILL', calls: Number(/\d+$/.exec(out)?.[0]) }
}

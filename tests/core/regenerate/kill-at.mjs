/** Preloaded by a test: the process is killed at its nth call that changes the disk below `KILL_IN`. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const at = Number(process.env['KILL_AT'])
const inside = String(process.env['KILL_IN'])
let calls = 0

for (const name of [
  'writeFileSync',
  'renameSync',
  'linkSync',
  'rmSync',
  'rmdirSync',
  'mkdirSync',
]) {
  const real = fs[name]
  fs[name] = (path, ...rest) => {
    if (String(path).startsWith(inside)) calls += 1
    if (calls === at) process.kill(process.pid, 'SIGKILL')
    return real(path, ...rest)
  }
}
syncBuiltinESMExports()
process.on('exit', () => process.stderr.write(`calls ${calls}\n`))

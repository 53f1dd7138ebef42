import { spawn } from 'node:child_process'
import { build, compiled, type Ran } from './project.js'

/**
 * Runs the compiled command on a terminal of its own, which `script` makes (part of every Debian, and of macOS), and
 * types `keys` when it asks `question`. What is shown is `out`, colours and all.
 */
export async function svcOnTerminal(
  cwd: string,
  line: readonly string[],
  { question, keys }: { readonly question: string; readonly keys: string },
): Promise<Ran> {
  build()
  const svc = [process.execPath, compiled, ...line].map((word) => `'${word}'`).join(' ')
  // Without a width, each letter would stand on a line of its own.
  const words = `stty cols 120 rows 40; ${svc}`
  const args =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', 'sh', '-c', words]
      : ['-qec', words, '/dev/null']
  const env = { ...process.env, SVC_SKIP_PRISMA_CLIENT: '1', TERM: 'xterm' }
  const child = spawn('script', args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let out = ''
  let isAsked = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    if (isAsked || !out.includes(question)) return
    isAsked = true
    child.stdin.write(keys)
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (status) => resolve(status ?? -1))
  })
  return { code, out, errors }
}

import { spawn } from 'node:child_process'
import { build, compiled, type Ran } from './project.js'

/**
 * Runs the compiled command on a terminal of its own, which `script` makes (part of every Debian, and of macOS), and
 * types the keys of each question once it is asked, in their order. What is shown is `out`, colours and all.
 */
export async function svcOnTerminal(
  cwd: string,
  line: readonly string[],
  ...questions: readonly { readonly question: string; readonly keys: string | (() => string) }[]
): Promise<Ran> {
  build()
  const svc = [process.execPath, compiled, ...line].map((word) => `'${word}'`).join(' ')
  // Without a width, each letter would stand on a line of its own. `script` asks whatever shell `SHELL` names, and some would
  // stay in between, to die of a Ctrl-C that svc answers: their code would stand in for its own.
  const words = `stty cols 120 rows 40; exec ${svc}`
  const args =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', 'sh', '-c', words]
      : ['-qec', words, '/dev/null']
  const env = { ...process.env, SVC_SKIP_PRISMA_CLIENT: '1', TERM: 'xterm' }
  const child = spawn('script', args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let out = ''
  const left = [...questions]
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    const [next] = left
    const at = next === undefined ? -1 : out.indexOf(next.question, seen)
    if (next === undefined || at === -1) return
    seen = at + next.question.length
    left.shift()
    child.stdin.write(typeof next.keys === 'string' ? next.keys : next.keys())
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

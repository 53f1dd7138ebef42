import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fill } from '../write/folder.js'
import { freePort } from './dev.js'
import { build, checkout, emptyFolder, linkDependencies } from './project.js'

/** Starts the demo, and resolves when it has said what to try. */
async function start(root: string, port: number) {
  const usual = { PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'development' }
  const env = { ...process.env, ...usual }
  const program = join(checkout, 'dist/svc/demo.js')
  const child = spawn(process.execPath, [program, root], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const code = new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? -1)))
  await expect.poll(() => said, { timeout: 110_000, interval: 100 }).toContain('Ctrl-C ends it.')
  return {
    page: said.split('\n').find((line) => line.startsWith('http')) ?? '',
    requests: said.split('\n').filter((line) => line.startsWith('curl ')),
    end: () => {
      child.kill('SIGINT')
      return code
    },
  }
}

interface Answer {
  readonly status: number
  // Tests look into answers freely; a wrong path is a failing test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Does what the line would do in a shell. */
async function curl(line: string): Promise<Answer> {
  const quoted = [...line.matchAll(/(-\w )?'([^']*)'/g)].map(
    ([, option, text]) => [option?.trim(), text] as const,
  )
  const url = quoted.findLast(([option]) => option === undefined)?.[1] ?? ''
  const headers = quoted
    .filter(([option]) => option === '-H')
    .map(([, text = '']) => text.split(': '))
  const body = quoted.find(([option]) => option === '-d')?.[1]
  const init = body === undefined ? {} : { method: 'POST', body }
  const response = await fetch(url, { headers: Object.fromEntries(headers), ...init })
  return { status: response.status, body: await response.json() }
}

test('npm run demo serves the blog; its three requests work, and starting again keeps rows and edits', async () => {
  build()
  const folder = emptyFolder()
  linkDependencies(folder)
  const root = join(folder, 'demo')
  mkdirSync(root)
  const port = await freePort()

  const first = await start(root, port)
  const [address = '', token = ''] = first.page.split('#token=')
  expect((await fetch(address)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  const headers = { authorization: `Bearer ${decodeURIComponent(token)}` }
  expect((await fetch(new URL('/api/svc/profile', address), { headers })).status).toBe(200)
  const [list = '', search = '', store = ''] = first.requests
  const posts = await curl(list)
  expect(posts.status).toBe(200)
  expect(posts.body.data[0].relationships.owner.type).toBe('users')
  expect((await curl(search)).body.meta.total).toBeGreaterThan(0)
  expect((await curl(store)).status).toBe(201)
  // As `/docs` says; without a word from npx about a package of that name.
  const made = execFileSync('npx', ['--no', 'svc', 'client', 'api'], { cwd: root })
  expect(String(made)).toContain('api')
  expect(existsSync(join(root, 'api/posts.ts'))).toBe(true)
  expect(await first.end()).toBe(0)

  const policy = 'app/Policies/PostPolicy.ts'
  const mine = `${readFileSync(join(root, policy), 'utf8')}// Mine.\n`
  fill(root, { [policy]: mine })
  const second = await start(root, port)
  const again = await curl(second.requests[0] ?? '')
  expect(again.body.meta.total).toBe(posts.body.meta.total + 1)
  expect(readFileSync(join(root, policy), 'utf8')).toBe(mine)
  expect(await second.end()).toBe(0)
})

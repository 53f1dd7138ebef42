/** The built server, as docs/deploying.md starts it, where Node is not what runs it: under Bun and Deno where they are installed, and as a function of Lambda. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { filesOf } from '../../support/pages.js'
import { load, openProject, type Project } from '../../support/project.js'
import { freePort } from '../cli/dev.js'

let blog: Project
beforeAll(async () => {
  blog = await openProject('blog', 'postgresql')
  for (const [path, text] of filesOf('docs/deploying.md'))
    writeFileSync(join(blog.folder, path), text)
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  const tsc = join(compiler, '../bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: blog.folder })
})
afterAll(() => blog.close())

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0
const runtimes: readonly (readonly [string, readonly string[]])[] = [
  [process.execPath, []],
  ['bun', []],
  ['deno', ['run', '--allow-all']],
]

test.each(runtimes.filter(([program]) => isInstalled(program)))(
  'the built server answers from PostgreSQL under %s',
  async (program, words) => {
    const port = await freePort()
    const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1', MIGRATE_ON_START: 'false' }
    const child = spawn(program, [...words, 'dist/app/server.js'], { cwd: blog.folder, env })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => (said += String(text)))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await ended
    })
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    const ready = () =>
      get('/ready').then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(ready, { message: said }).toBe(200)
    const person = { name: 'Ann', email: `ann${port}@example.org`, password: 'correct horse' }
    const registered = await fetch(`http://127.0.0.1:${port}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...person, password_confirmation: person.password }),
    })
    const { meta }: any = await registered.json() // oxlint-disable-line typescript/no-explicit-any
    const headers = { authorization: `Bearer ${meta.token}` }
    const answer = await fetch(`http://127.0.0.1:${port}/api/svc/posts?include=owner`, { headers })
    expect([answer.status, said]).toEqual([200, ''])
    expect(await answer.json()).toMatchObject({ meta: { current_page: 1, total: 0 } })
  },
)

test('the app is a function of AWS Lambda', async () => {
  const { handler } = await load(blog.folder, 'app/lambda.ts')
  // Of what API Gateway sends, this is what Hono reads.
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/ready',
    rawQueryString: '',
    headers: { host: 'example.org' },
    isBase64Encoded: false,
    requestContext: { http: { method: 'GET', path: '/ready' } },
  } as unknown as LambdaEvent
  expect(await handler(event, {} as LambdaContext)).toMatchObject({ statusCode: 200 })
})

/** What `serve` limits without Hono is counted as it is with it: once, whatever the answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, emitFixture, load, openFolder, type Project } from '../../support/project.js'

describe.each(databases)('requests that are limited, on %s', (name) => {
  let project: Project
  let running: { readonly port: number; close(): Promise<void> }

  beforeAll(async () => {
    const folder = await emitFixture('blog', name, {
      'manifest/index.ts': (text) =>
        text.replace('repositories: {', 'rateLimit: true,\n  metrics: true,\n  repositories: {'),
      'config/svc.ts': (text) =>
        text
          .replace('per_minute: 600', 'per_minute: 3')
          .replace("enforced: 'production'", "enforced: 'always'"),
    })
    project = await openFolder(folder, name)
    const { serve } = await load(folder, 'runtime/http/serve.ts')
    const { createApp } = await load(folder, 'app/app.ts')
    const { log } = await load(folder, 'app/log.ts')
    running = await serve(createApp(), { host: '127.0.0.1', port: 0, log, graceMs: 0 })
  })
  afterAll(async () => {
    await running.close()
    await project.close()
  })

  async function send(method: string, path: string, user: number, body?: object) {
    const response = await fetch(`http://127.0.0.1:${running.port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${project.token(user)}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { headers, status } = response
    await response.arrayBuffer()
    const left = /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
    return [status, left, headers.get('ratelimit-policy'), headers.has('retry-after')]
  }

  const policy = '"default";q=3;w=60'

  test('count once, also where the answer is an error', async () => {
    const ada = await project.user('Ada')
    expect([
      await send('GET', '/api/svc/posts/999', ada),
      await send('POST', '/api/svc/posts', ada, {}),
      await send('GET', '/api/svc/posts', ada),
      await send('GET', '/api/svc/posts', ada),
      await send('POST', '/api/svc/posts', ada, { title: 'One more' }),
    ]).toEqual([
      [404, '2', policy, false],
      [422, '1', policy, false],
      [200, '0', policy, false],
      [429, '0', policy, true],
      [429, '0', policy, true],
    ])
  })

  test('with a token that was revoked count for it and for its address', async () => {
    const bob = await project.user('Bob')
    expect(await send('GET', '/api/svc/posts', bob)).toEqual([200, '2', policy, false])
    const sql = `delete from personal_access_tokens where user_id = ${bob}`
    await project.database.query({ sql, access: 'write' }, [])
    expect(await send('GET', '/api/svc/posts', bob)).toEqual([401, '1', policy, false])
    expect(await send('GET', '/api/svc/posts', bob)).toEqual([401, '0', policy, false])
    expect(await send('GET', '/api/svc/posts', bob)).toEqual([429, '0', policy, true])
  })

  test('are measured with the pattern of their route, by their status', async () => {
    const page = await fetch(`http://127.0.0.1:${running.port}/metrics`)
    const counts = [
      ...(await page.text()).matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)/gm),
    ]
    expect(Object.fromEntries(counts.map(([, labels, count]) => [labels, Number(count)]))).toEqual({
      'method="GET",route="/api/svc/posts/:id",status="404"': 1,
      'method="POST",route="/api/svc/posts",status="422"': 1,
      'method="GET",route="/api/svc/posts",status="200"': 2,
      'method="GET",route="/api/svc/posts",status="401"': 2,
      'method="GET",route="/api/svc/posts",status="429"': 2,
      'method="POST",route="/api/svc/posts",status="429"': 1,
    })
  })
})

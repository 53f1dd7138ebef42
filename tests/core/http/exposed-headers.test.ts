/** A script of another origin may read the headers of an answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitFixture, openFolder, type Project } from '../../support/project.js'

/** CORS says of them: every script may read them. */
const safelisted = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/
/** Answers to the browser itself, which does as they say. */
const forBrowsers =
  /^(access-control-.*|referrer-policy|strict-transport-security|vary|x-.*-options)$/

let project: Project
let ada = 0
beforeAll(async () => {
  const folder = await emitFixture('blog', 'sqlite', {
    'manifest/index.ts': (text) =>
      text.replace(
        'defineManifest({',
        'defineManifest({\n  rateLimit: true,\n  idempotency: true,\n  dryRun: true,',
      ),
    'manifest/posts.ts': (text) => text.replace('repository({', 'repository({ versioned: true,'),
    'config/svc.ts': (text) =>
      text
        .replace('per_minute: 600', 'per_minute: 7')
        .replace("enforced: 'production'", "enforced: 'always'")
        .replace(/origins: \[.*\]/, "origins: ['https://app.test']"),
  })
  project = await openFolder(folder, 'sqlite', 'development')
  ada = await project.user('Ada')
})
afterAll(() => project.close())

test('each of its headers is exposed, whatever the answer', async () => {
  const origin = { origin: 'https://app.test' }
  const json = {
    ...origin,
    'content-type': 'application/json',
    'idempotency-key': 'one',
    prefer: 'max-affected=9',
  }
  const body = '{"title":"one","description":"first","published_at":"2026-01-01"}'
  const answers = [
    await project.request('POST', '/api/svc/posts', { as: ada, body, headers: json }),
    await project.request('POST', '/api/svc/posts', { as: ada, body, headers: json }),
    await project.request('GET', '/api/svc/posts/1', { as: ada, headers: origin }),
    await project.request('GET', '/api/svc/posts/1', { headers: origin }),
    await project.request('PATCH', '/api/svc/posts', { as: ada, headers: origin }),
    await project.request('GET', '/nowhere', { as: ada, headers: origin }),
  ]
  for (let at = 0; at < 6; at++) {
    answers.push(await project.request('GET', '/nowhere', { as: ada, headers: origin }))
  }
  const statuses = answers.map(({ status }) => status)
  expect([...new Set(statuses)]).toEqual([201, 200, 401, 405, 404, 429])
  const hidden = answers.flatMap(({ headers }) => {
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? []
    return [...headers.keys()].filter(
      (name) => !exposed.includes(name) && !safelisted.test(name) && !forBrowsers.test(name),
    )
  })
  expect(hidden).toEqual([])
  const seen = new Set(answers.flatMap(({ headers }) => [...headers.keys()]))
  const told = answers[0]?.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
  expect(told?.filter((name) => !seen.has(name))).toEqual([])
})

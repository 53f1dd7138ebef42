import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonShape } from '../../../runtime/model/json-shape.js'
import { runs } from '../../support/runs.js'
import { createTestApp } from './app.js'

const { app, lines } = createTestApp({ config: { strict_bodies: false } })
const json = { 'content-type': 'application/json' }

async function post(
  body: string | Uint8Array | ReadableStream,
  headers: Record<string, string> = json,
) {
  // Streams need half duplex, which the types of fetch do not know.
  const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit
  const answer = await app.request('/api/things', init)
  return { status: answer.status, body: (await answer.json()) as { message: string; got: unknown } }
}

describe('request bodies', () => {
  it.each([
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['a number', '5', 400],
    ['a text', '"x"', 400],
    ['nothing', '', 400],
    ['half of an object', '{"a":', 400],
    ['two objects', '{}{}', 400],
    ['a trailing comma', '{"a":1,}', 400],
    ['single quotes', "{'a':1}", 400],
    ['NaN', '{"a":NaN}', 400],
    ['a byte order mark', '\ufeff{}', 400],
    ['a NUL outside a text', '{"a":\0}', 400],
    ['arrays 100,000 deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['objects 100,000 deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400],
    ['100,000 brackets that never close', '['.repeat(100_000), 400],
    ['brackets in a text', `{"a":"${'['.repeat(1000)}"}`, 201],
    ['an escaped quote before brackets', `{"a":"\\"${'['.repeat(1000)}"}`, 201],
    ['a NUL in a text', '{"a":"\\u0000"}', 201],
    ['a lone surrogate', '{"a":"\\ud800"}', 201],
    ['a number too large', '{"a":1e400}', 201],
  ])('%s: %#', async (_name, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    if (status >= 400) expect(answer.body.message).toMatch(/^The (request body|JSON) /)
  })

  it('that are not UTF-8 are 400', async () => {
    expect((await post(new Uint8Array([123, 34, 255, 254, 34, 58, 49, 125]))).status).toBe(400)
  })

  it.each([
    [{}, 415],
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [{ 'content-type': 'multipart/form-data; boundary=x' }, 415],
    [{ 'content-type': 'application/jsonp' }, 415],
    [{ 'content-type': 'application/json; charset=latin1' }, 415],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 415],
    [{ 'content-type': 'application/json; charset=utf-8' }, 201],
    [{ 'content-type': 'Application/JSON;charset="UTF-8"' }, 201],
    [{ 'content-type': 'application/vnd.api+json' }, 201],
    [{ 'content-type': 'application/json; profile="x"; charset=utf-8' }, 201],
  ])('with %j are %i', async (headers, status) => {
    expect((await post('{}', headers as Record<string, string>)).status).toBe(status)
  })

  it('of 20 MB are 413, with a declared length and without', async () => {
    const large = `{"a":"${'x'.repeat(20 * 1024 * 1024)}"}`
    expect((await post(large)).status).toBe(413)
    expect((await post(large, { ...json, 'content-length': String(large.length) })).status).toBe(
      413,
    )
  })

  it('that never end are cut off at the limit', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(120))
      },
    })
    expect((await post(endless)).status).toBe(413)
    expect(sent).toBeLessThan(2_000_000)
  })

  it('cannot reach the prototype of anything', async () => {
    const keys =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1,"a":2}'
    const escaped = '{"\\u005f_proto__":{"polluted":1},"a":1}'
    expect((await post(keys)).body.got).toEqual({
      constructor: { prototype: { polluted: 1 } },
      a: 2,
    })
    expect((await post(escaped)).body.got).toEqual({ a: 1 })
    expect(await post('{"a":1,"layout":[{"\\u005f_proto__":{"polluted":1}}]}')).toMatchObject({
      status: 422,
      body: { errors: { layout: ['The layout must not contain the key __proto__.'] } },
    })
    expect('polluted' in {}).toBe(false)
  })

  it('whatever they are, never are a 500', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), async (body) => {
        expect([201, 400, 422]).toContain((await post(body)).status)
      }),
      { numRuns: runs(300) },
    )
    expect(lines.some(({ status }) => Number(status) >= 500)).toBe(false)
  })

  it('are as deep as their parsed value says, and hold as many values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const shape = { depth: depthOf(value), values: valuesOf(value) }
        expect(jsonShape(JSON.stringify(value, null, 8))).toEqual(shape)
      }),
      { numRuns: runs(100) },
    )
  })
})

/** An empty list or object counts twice. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const inside = Object.values(value)
  return (
    1 +
    Math.max(
      1,
      inside.map(valuesOf).reduce((sum, each) => sum + each, 0),
    )
  )
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** `tracing: true`: a server as a process, and the collector that OpenTelemetry sends to. */
import { rmSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { deployed } from '../../core/faults/deployed.js'
import { startServer } from '../../core/faults/server-process.js'
import { typeCheck } from '../../support/type-check.js'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly {
    key: string
    value: { stringValue?: string; intValue?: number }
  }[]
}

/** What a collector was sent. */
async function collector() {
  const spans: Span[] = []
  const services = new Set<unknown>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const isZipped = request.headers['content-encoding'] === 'gzip'
      const sent = JSON.parse(String(isZipped ? gunzipSync(bytes) : bytes))
      for (const { resource, scopeSpans } of sent.resourceSpans) {
        services.add(
          resource.attributes.find(({ key }: { key: string }) => key === 'service.name')?.value
            .stringValue,
        )
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { spans, services, endpoint: `http://127.0.0.1:${port}` }
}

const valuesOf = ({ attributes }: Span) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

test('requests and their statements are spans, by patterns and without values', async () => {
  const folder = await deployed('sqlite', (text) =>
    text.replace("database: 'sqlite'", "database: 'sqlite', tracing: true"),
  )
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  expect(typeCheck(folder)).toBe('')
  const { spans, services, endpoint } = await collector()
  const server = await startServer(folder, {
    DATABASE_URL: `file:${join(folder, 'traced.sqlite')}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: 'notes',
  })
  const secret = 'nobody traces this'
  const stored = await server.send('POST', '/api/svc/notes', { text: secret })
  const shown = await server.send('GET', `/api/svc/notes/${stored.body.data.id}?include=nothing`)
  expect([stored.status, shown.status]).toEqual([201, 200])
  // What is left is sent at the end.
  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)

  expect([...services]).toEqual(['notes'])
  const [store, show] = ['POST /api/svc/notes', 'GET /api/svc/notes/:id'].map((name) =>
    spans.find((span) => span.name === name),
  )
  if (store === undefined || show === undefined) throw new Error(JSON.stringify(spans))
  expect(valuesOf(store)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/svc/notes',
    'http.response.status_code': 201,
    'svc.request_id': stored.headers.get('x-request-id'),
  })
  expect(store.traceId).not.toBe(show.traceId)
  const below = (span: Span) => spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
  const [insert] = below(store)
    .map(valuesOf)
    .filter(({ 'db.query.text': sql }) => /^insert/i.test(String(sql)))
  expect(insert).toMatchObject({ 'db.system.name': 'sqlite' })
  expect(below(show).map(({ name }) => name.toLowerCase())).toContain('select')
  expect(JSON.stringify(spans)).not.toContain(secret)
  expect(JSON.stringify(spans)).not.toContain('/api/svc/notes/1')

  // Nobody to send to: nothing is traced, and the server is the same.
  const untraced = await startServer(folder, {
    DATABASE_URL: `file:${join(folder, 'other.sqlite')}`,
  })
  expect((await untraced.send('GET', '/api/svc/notes')).status).toBe(200)
  untraced.child.kill('SIGTERM')
  expect(await untraced.exited).toBe(0)
})

test('without tracing: true there is nothing of it', async () => {
  const folder = await deployed('sqlite')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  expect(text('package.json') + text('app/app.ts') + text('app/server.ts')).not.toMatch(
    /telemetry|tracing/i,
  )
})

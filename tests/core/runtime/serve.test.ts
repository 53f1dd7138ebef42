import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { program } from '../../support/program.js'
import { checkout } from '../cli/project.js'

const script = await program(checkout, 'tests/core/runtime/serve-process.ts')
afterAll(() => rmSync(script))

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env },
  })
  children.push(child)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  await Promise.race([once(child.stdout, 'data'), exited])
  const port = Number.parseInt(out)
  /** Waits until the server has said a line so many times. */
  const said = (line: string, times = 1) =>
    expect.poll(() => out.split('\n').filter((each) => each === line).length).toBe(times)
  const url = `http://127.0.0.1:${port}`
  return { child, port, exited, url, said, out: () => out, err: () => err }
}

/** Sends bytes as they are; resolves when they are sent, with what will have come back. */
async function sendRaw(port: number, text: string): Promise<{ answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  socket.on('error', () => {})
  const closed = once(socket, 'close').then(() => answer)
  await new Promise((resolve) => socket.write(text, resolve))
  return { answer: closed }
}

const raw = async (port: number, text: string) => (await sendRaw(port, text)).answer

describe('a running server', () => {
  it('begins few of the requests that one client sent at once before it looks at others', async () => {
    const server = await start()
    const request = 'GET /turn HTTP/1.1\r\nHost: x\r\n\r\n'
    const last = 'GET /turn HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const { answer } = await sendRaw(server.port, request.repeat(399) + last)
    const turns = [...(await answer).matchAll(/turn (\d+)\./g)].map(([, turn]) => turn)
    expect(turns).toHaveLength(400)
    // As many while it reads, and as many right after it.
    for (const turn of new Set(turns)) {
      expect(turns.filter((each) => each === turn).length, `turn ${turn}`).toBeLessThanOrEqual(64)
    }
  })

  it('begins few of the requests that a connection sends ahead of their answers', async () => {
    const server = await start()
    const request = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'
    const last = 'GET /turn HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const { answer } = await sendRaw(server.port, request.repeat(9) + last)
    await server.said('begun', 5)
    expect((await fetch(`${server.url}/api/things`)).status).toBe(200)
    await server.said('begun', 5)
    server.child.kill('SIGUSR2')
    await server.said('begun', 9)
    expect((await answer).match(/HTTP\/1.1 200 /g)).toHaveLength(10)
  })

  it('cuts off a client that sends thousands, and answers others', async () => {
    const server = await start()
    const request = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {}) // it is cut off
    socket.write(request.repeat(3_000))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(socket.bytesRead).toBe(0)
    expect((await fetch(`${server.url}/api/things`)).status).toBe(200)
  })

  it('says what it takes itself for where NODE_ENV does not, and warns where others reach it', async () => {
    const said = async (HOST: string, NODE_ENV: string) => {
      const { out } = await start({ HOST, NODE_ENV, LOGGED: 'info,warn' })
      await expect.poll(() => /^\d+$/m.test(out())).toBe(true)
      return out().match(/\w+: NODE_ENV is not set, so this is development/g)
    }
    const starts = [said('127.0.0.1', ''), said('0.0.0.0', ''), said('0.0.0.0', 'production')]
    expect(await Promise.all(starts)).toEqual([
      [expect.stringMatching(/^info:/)],
      [expect.stringMatching(/^warn:/)],
      null,
    ])
  })

  it('on SIGTERM answers what runs and what is still sent, then ends with 0', async () => {
    // Long enough for a busy machine to send one more.
    const server = await start({ GRACE: '1000' })
    const running = fetch(`${server.url}/held`)
    await server.said('request /held')
    server.child.kill('SIGTERM')
    await server.said('SIGTERM')
    const late = fetch(`${server.url}/held`)
    await server.said('request /held', 2)
    // Until nothing new is taken.
    await expect.poll(() => fetch(server.url).catch(() => 'refused')).toBe('refused')
    server.child.kill('SIGUSR2')
    const sent = await late
    expect(sent.headers.get('connection')).toBe('close')
    expect(sent.status).toBe(200)
    expect((await running).status).toBe(200)
    expect(await server.exited).toBe(0)
    expect(server.out()).toContain('closed')
  })

  it('loses none of the requests sent around the signal', async () => {
    // Longer than a busy machine takes to send them: how long it is, is not what is tested.
    const server = await start({ GRACE: '3000' })
    const statuses: number[] = []
    let isTold = false
    // Until an answer says that the server is closing: those that crossed it have been sent too.
    const clients = Array.from({ length: 50 }, async () => {
      while (!isTold && statuses.length < 10_000) {
        const answer = await fetch(`${server.url}/turns`)
        statuses.push(answer.status)
        isTold ||= answer.headers.get('connection') === 'close'
      }
    })
    await expect.poll(() => statuses.length).toBeGreaterThan(0)
    server.child.kill('SIGINT')
    await Promise.all(clients)
    expect(isTold).toBe(true)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await server.exited).toBe(0)
  })

  it('takes what had arrived when its time was up, though it was busy until then', async () => {
    const server = await start({ GRACE: '1' })
    const busy = fetch(`${server.url}/busy`)
    await server.said('request /busy')
    // Nothing is read while it is busy; the time is up long before these are sent.
    const text = 'GET /turns HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const sent = await Promise.all(Array.from({ length: 20 }, () => sendRaw(server.port, text)))
    server.child.stdin.write('\n')
    const answers = await Promise.all(sent.map(({ answer }) => answer))
    expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 200 '))).toEqual([])
    expect((await busy).status).toBe(200)
    expect(await server.exited).toBe(0)
  })

  it('ends at once on a second signal', async () => {
    const server = await start()
    const running = fetch(`${server.url}/held`).catch(() => 'cut')
    await server.said('request /held')
    server.child.kill('SIGTERM')
    await server.said('SIGTERM')
    server.child.kill('SIGTERM')
    expect(await server.exited).toBe(1)
    expect(await running).toBe('cut')
  })

  it('says in a sentence that the port is taken', async () => {
    const first = await start()
    const second = await start({ PORT: String(first.port) })
    expect(await second.exited).toBe(1)
    expect(second.err().trim()).toBe(
      `Port ${first.port} of 127.0.0.1 is in use: stop the other program, or set PORT to a free one.`,
    )
  })

  it('answers 413 to 20 MB, declared or not, and goes on', async () => {
    const server = await start()
    const headers = { 'content-type': 'application/json' }
    const body = `{"a":"${'x'.repeat(20 * 1024 * 1024)}"}`
    const declared = await fetch(`${server.url}/api/things`, { method: 'POST', headers, body })
    expect(declared.status).toBe(413)
    expect(declared.headers.get('access-control-allow-origin')).toBe('*')
    const init = { method: 'POST', headers, body: new Blob([body]).stream(), duplex: 'half' }
    // Half duplex is unknown to the DOM's types.
    const streamed = await fetch(`${server.url}/api/things`, init as RequestInit)
    expect(streamed.status).toBe(413)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it('answers broken requests, and survives clients that go away', async () => {
    const server = await start()
    const { port } = server
    expect(await raw(port, 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 [^]*"message":"The request cannot be read."/,
    )
    const path = 'GET /api/things/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    expect(await raw(port, path)).toMatch(/^HTTP\/1.1 400 [^]*The path cannot be read/)
    const strange =
      'GET /api/fails/strange HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    expect(await raw(port, strange)).toMatch(/^HTTP\/1.1 500 [^]*Server error/)
    const gone = connect(port, '127.0.0.1')
    gone.write(
      'POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await server.said('request /api/things')
    gone.destroy()
    const answer = await fetch(`${server.url}/api/things`)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'x-request-id': expect.any(String),
    })
  })

  it('answers 500 where a header of an error cannot be sent', async () => {
    const server = await start()
    const answer = await fetch(`${server.url}/odd`)
    const id = answer.headers.get('x-request-id')
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { message: 'Server error.', request_id: id },
    ])
  })

  it('sends a header of its layers once, as the answer says it where it does', async () => {
    const { port } = await start()
    const answer = await raw(port, 'GET /framed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer.match(/^x-frame-options: .*$/gim)).toEqual(['x-frame-options: SAMEORIGIN'])
    expect(answer.match(/^x-content-type-options: .*$/gim)).toEqual([
      'X-Content-Type-Options: nosniff',
    ])
  })

  it('answers a probe of HTTP/1.0, which names no host', async () => {
    const { port } = await start()
    expect(await raw(port, 'GET /health HTTP/1.0\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 [^]*\{"status":"ok"\}$/,
    )
  })

  it('answers HEAD without a body', async () => {
    const server = await start()
    const answer = await raw(
      server.port,
      'HEAD /api/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\n$/)
  })
})

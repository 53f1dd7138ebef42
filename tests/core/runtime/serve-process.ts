/**
 * Run by serve.test.ts as a process of its own. Prints its port, then what it meets: each request,
 * each signal, its closing. A signal, `SIGUSR2`, lets the held requests be answered.
 */
import '../../../runtime/failures.js'
import { readSync } from 'node:fs'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { HttpError } from '../../../runtime/errors.js'
import { createLog } from '../../../runtime/http/log.js'
import { serve } from '../../../runtime/http/serve.js'
import { createGate } from '../../support/gate.js'
import { createTestApp } from './app.js'

const say = (text: string) => void process.stdout.write(`${text}\n`)
const gate = createGate()
process.on('SIGUSR2', () => gate.open())

const { app } = createTestApp()
app.get('/held', async (c) => {
  say('begun')
  await gate.opened
  return c.json({ done: true })
})
app.get('/turns', async (c) => {
  for (let turn = 0; turn < 20; turn += 1) await turnOfTheLoop()
  return c.json({ done: true })
})
app.get('/odd', () => {
  throw new HttpError(409, 'Odd.', undefined, { 'X-Why': 'snow ☃' })
})

app.get('/framed', (c) => c.text('framed', 200, { 'x-frame-options': 'SAMEORIGIN' }))

/** Which turn of the event loop it was begun in. */
let current = 0
const count = () => {
  current += 1
  setImmediate(count)
}
app.get('/turn', (c) => {
  if (current === 0) count()
  return c.text(`turn ${current}.`)
})
/** The signal comes, and nothing is read until a line comes on stdin. */
app.get('/busy', (c) => {
  process.emit('SIGTERM')
  readSync(0, Buffer.alloc(1))
  return c.json({ done: true })
})

const log = createLog({ LOG_LEVEL: 'silent', NODE_ENV: 'test' })
for (const level of process.env['LOGGED']?.split(',') ?? []) {
  Reflect.set(log, level, (...line: unknown[]) => say(`${level}: ${String(line.at(-1))}`))
}

const { port, server } = await serve(app, {
  host: process.env['HOST'] ?? '127.0.0.1',
  port: Number(process.env['PORT'] ?? 0),
  log,
  graceMs: Number(process.env['GRACE'] ?? 300),
  onClose: () => say('closed'),
})
process.on('SIGTERM', () => say('SIGTERM'))
server.prependListener('request', ({ url }) => say(`request ${url}`))
say(`${port}`)

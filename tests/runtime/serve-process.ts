/**
 * Run by serve.test.ts as a process of its own: prints its port, answers after `?ms=`, tells when
 * it closes.
 */
import '../../runtime/failures.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../../runtime/http/log.js'
import { serve } from '../../runtime/http/serve.js'
import { createTestApp } from './app.js'

const { app } = createTestApp()
app.get('/slow', async (c) => {
  await sleep(Number(c.req.query('ms')))
  return c.json({ done: true })
})
app.get('/busy', (c) => {
  const end = performance.now() + Number(c.req.query('ms'))
  while (performance.now() < end);
  return c.json({ done: true })
})

const { port } = await serve(app, {
  host: '127.0.0.1',
  port: Number(process.env['PORT'] ?? 0),
  log: createLog({ LOG_LEVEL: 'silent', NODE_ENV: 'test' }),
  grace: Number(process.env['GRACE'] ?? 300),
  onClose: () => void process.stdout.write('closed\n'),
})
process.stdout.write(`${port}\n`)

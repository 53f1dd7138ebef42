import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { parseEnv, sqliteUrl } from '../../../runtime/config/env.js'
import { html, type Mail } from '../../../runtime/features/mail/mail.js'
import { createMailer } from '../../../runtime/features/mail/mailer.js'
import { authEnv, missingForAuth, withAuthDefaults } from '../../../runtime/features/sign-in/env.js'

const mail: Mail = {
  to: 'ada@example.test',
  subject: 'Grüße',
  text: 'Plain: https://app.test/reset?token=abc&email=ada%40example.test',
  html: html`<p>${'<script>alert("1")</script>'}</p>`,
}

const lines: object[] = []
const log = {
  fatal: () => {},
  error: () => {},
  warn: () => {},
  debug: () => {},
  info: (line: object) => void lines.push(line),
  isLevelEnabled: () => true,
}

const production = {
  NODE_ENV: 'production',
  FRONTEND_APP_URL: 'https://app.test',
  APP_KEY: 'k'.repeat(32),
  MAIL_MAILER: 'log',
}

function environment(variables: Record<string, string>) {
  const shape = { DATABASE_URL: sqliteUrl('file:x.sqlite'), ...authEnv('memory') }
  return withAuthDefaults(parseEnv(variables, shape, missingForAuth))
}

const mailer = (variables: Record<string, string>) =>
  createMailer(
    environment({ NODE_ENV: 'test', MAIL_FROM: 'Shop <no-reply@shop.test>', ...variables }),
    log,
  )

describe('mails', () => {
  test('are logged, and kept in a file, in development', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-mail-'))
    const file = join(folder, 'logs/mail.log')
    await mailer({ MAIL_LOG: file }).send(mail)
    expect(readFileSync(file, 'utf8')).toContain(
      `To: ada@example.test\nSubject: Grüße\n\n${mail.text}`,
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(lines).toEqual([{ mail: { to: mail.to, subject: mail.subject, text: mail.text } }])
    rmSync(folder, { recursive: true })
  })

  test('go through SMTP, signed in, as HTML and text', async () => {
    const received: { message: string; user: string; from: string; to: string[] }[] = []
    let user = ''
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) => {
        user = `${username}:${password}`
        done(null, { user })
      },
      onData: (stream, { envelope }, done) => {
        void text(stream).then((message) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          received.push({ message, user, from, to: envelope.rcptTo.map(({ address }) => address) })
          done()
        })
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    await mailer({
      MAIL_MAILER: 'smtp',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(port),
      SMTP_USERNAME: 'shop',
      SMTP_PASSWORD: 'secret',
    }).send(mail)
    await new Promise<void>((resolve) => server.close(resolve))
    const [{ message = '', ...envelope } = {}] = received
    expect(envelope).toEqual({
      user: 'shop:secret',
      from: 'no-reply@shop.test',
      to: ['ada@example.test'],
    })
    expect(message).toMatch(/^From: Shop <no-reply@shop\.test>/m)
    expect(message).toContain('multipart/alternative')
    expect(message).toContain('Content-Type: text/html')
    expect(message).not.toContain('<script>')
  })

  test('a password is not sent in plain text to another machine', async () => {
    const asked: string[] = []
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username = '' }, _, done) => {
        asked.push(username)
        done(null, { user: username })
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
    const { port } = server.server.address() as AddressInfo
    const remote = mailer({
      MAIL_MAILER: 'smtp',
      SMTP_HOST: '127.0.0.2',
      SMTP_PORT: String(port),
      SMTP_USERNAME: 'shop',
      SMTP_PASSWORD: 'secret',
    })
    await expect(remote.send(mail)).rejects.toThrow(/STARTTLS|TLS/)
    expect(asked).toEqual([])
    await new Promise<void>((resolve) => server.close(resolve))
  })

  test('a server that takes no mail is a failure, not silence', async () => {
    const settings = { MAIL_MAILER: 'smtp', SMTP_HOST: '127.0.0.1', SMTP_PORT: '1' }
    await expect(mailer(settings).send(mail)).rejects.toThrow()
  })

  test('go through Resend, and its refusal is a failure', async () => {
    const asked: { url: string | undefined; headers: IncomingHttpHeaders; body: unknown }[] = []
    let status = 200
    const server = createServer((request, answer) => {
      void text(request).then((body) => {
        asked.push({ url: request.url, headers: request.headers, body: JSON.parse(body) })
        answer.writeHead(status, { 'content-type': 'application/json' })
        const refusal = { statusCode: 422, name: 'validation_error', message: 'no such domain' }
        answer.end(JSON.stringify(status === 200 ? { id: 'one' } : refusal))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const resend = mailer({
      MAIL_MAILER: 'resend',
      RESEND_API_KEY: 're_test',
      RESEND_BASE_URL: `http://127.0.0.1:${port}`,
    })
    await resend.send(mail)
    expect(asked[0]?.url).toBe('/emails')
    expect(asked[0]?.headers.authorization).toBe('Bearer re_test')
    expect(asked[0]?.body).toMatchObject({
      from: 'Shop <no-reply@shop.test>',
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
    })
    status = 422
    await expect(resend.send(mail)).rejects.toThrow('no such domain')
    server.close()
  })
})

describe('the environment', () => {
  test('of development needs nothing', () => {
    const env = environment({ NODE_ENV: 'test' })
    expect(env).toMatchObject({
      FRONTEND_APP_URL: 'http://localhost:5173',
      MAIL_MAILER: 'log',
      THROTTLE_STORE: 'memory',
      TRUSTED_PROXIES: 0,
    })
    expect(env.APP_KEY).toHaveLength(64)
    expect(environment({ NODE_ENV: 'test' }).APP_KEY).not.toBe(env.APP_KEY)
  })

  test('of development keeps its key, so that links outlive a restart', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-key-'))
    const file = join(folder, 'storage/app.key')
    const key = () => environment({ APP_KEY_FILE: file }).APP_KEY
    const first = key()
    expect(first).toHaveLength(64)
    expect(key()).toBe(first)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(environment({ APP_KEY_FILE: file, APP_KEY: 'k'.repeat(32) }).APP_KEY).toBe(
      'k'.repeat(32),
    )
    writeFileSync(file, 'short')
    expect(key()).toHaveLength(64)
    expect(environment({ APP_KEY_FILE: folder }).APP_KEY).toHaveLength(64)
    rmSync(folder, { recursive: true })
  })

  test('of production names everything that is missing', () => {
    expect(() => environment({ NODE_ENV: 'production' })).toThrow(
      /FRONTEND_APP_URL is missing.*\n.*APP_KEY is missing.*\n.*MAIL_MAILER is missing/,
    )
    expect(environment(production)).toMatchObject({ MAIL_MAILER: 'log' })
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ FRONTEND_APP_URL: 'app.test' }, /FRONTEND_APP_URL must be an http or https URL/],
    [{ FRONTEND_APP_URL: 'javascript:alert(1)' }, /FRONTEND_APP_URL must be/],
    [{ APP_KEY: 'short' }, /APP_KEY must have at least 32 characters/],
    [{ MAIL_MAILER: 'carrier-pigeon' }, /MAIL_MAILER must be one of log, resend, smtp/],
    [{ MAIL_MAILER: 'resend', MAIL_FROM: 'a@b.test' }, /RESEND_API_KEY is missing/],
    [{ MAIL_MAILER: 'resend', RESEND_API_KEY: 're' }, /MAIL_FROM is missing/],
    [{ MAIL_MAILER: 'smtp', MAIL_FROM: 'a@b.test' }, /SMTP_HOST is missing/],
    [{ SMTP_PORT: '0' }, /SMTP_PORT must be a whole number from 1 to 65535/],
    [{ THROTTLE_LIMIT: 'many' }, /THROTTLE_LIMIT must be a whole number/],
    [{ THROTTLE_STORE: 'redis' }, /THROTTLE_STORE must be one of memory, database/],
    [{ TRUSTED_PROXIES: '-1' }, /TRUSTED_PROXIES must be a whole number/],
  ])('%j is wrong, and said without its value', (variables, message) => {
    expect(() => environment({ ...production, ...variables })).toThrow(message)
  })

  test('keys are not shown when they are wrong', () => {
    expect(() => environment({ ...production, APP_KEY: 'my-secret-key' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('my-secret-key') }),
    )
  })
})

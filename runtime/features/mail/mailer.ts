import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../http/log.js'
import type { MailEnvironment } from './env.js'
import type { Mailer } from './mail.js'

/** The mailer that MAIL_MAILER names. Its package is loaded with the first mail. */
export function createMailer(env: MailEnvironment, log: Log): Mailer {
  if (env.MAIL_MAILER === 'resend') return onFirstMail(() => resendMailer(env))
  if (env.MAIL_MAILER === 'smtp') return onFirstMail(() => smtpMailer(env))
  if (env.NODE_ENV === 'production') log.warn(unsent)
  return logMailer(env, log)
}

const unsent =
  'MAIL_MAILER=log: no mail is sent, and everyone who reads the log reads the links that set passwords'

function onFirstMail(open: () => Promise<Mailer>): Mailer {
  let opened: Promise<Mailer> | null = null
  return { send: async (mail) => (await (opened ??= open())).send(mail) }
}

/** For development: mails go to the log and to a file, where their links can be followed. */
function logMailer({ MAIL_LOG: file }: MailEnvironment, log: Log): Mailer {
  return {
    send: async ({ to, subject, text }) => {
      log.info({ mail: { to, subject, text } }, `mail to ${to}: ${subject}`)
      await mkdir(dirname(file), { recursive: true })
      const head = `Date: ${new Date().toISOString()}\nTo: ${to}\nSubject: ${subject}`
      await appendFile(file, `${head}\n\n${text}\n\n---\n`, { mode: 0o600 })
    },
  }
}

/** Mails through Resend's API. */
async function resendMailer(env: MailEnvironment): Promise<Mailer> {
  const { Resend } = await import('resend')
  const { RESEND_API_KEY: key = '', RESEND_BASE_URL: baseUrl, MAIL_FROM: from } = env
  const client = new Resend(key, baseUrl === undefined ? {} : { baseUrl })
  return {
    send: async ({ to, subject, text, html }) => {
      const { error } = await client.emails.send({ from, to, subject, text, html })
      if (error !== null) throw new Error(`Resend refused the mail: ${error.message}`)
    },
  }
}

/** Mails through an SMTP server. A password is only sent over TLS, or to this machine. */
async function smtpMailer(env: MailEnvironment): Promise<Mailer> {
  const { createTransport } = await import('nodemailer')
  const { SMTP_HOST: host = '', SMTP_USERNAME: user, SMTP_PASSWORD: pass = '' } = env
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(host)
  const transport = createTransport({
    host,
    port: env.SMTP_PORT,
    secure: env.SMTP_SECURE === 'true',
    requireTLS: user !== undefined && !isLocal,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    ...(user === undefined ? {} : { auth: { user, pass } }),
  })
  return {
    send: async ({ to, subject, text, html }) => {
      await transport.sendMail({ from: env.MAIL_FROM, to, subject, text, html })
    },
  }
}

import { createTransport } from 'nodemailer'
import type { Mailer } from './mail.js'

interface SmtpOptions {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly from: string
}

/** Mails through an SMTP server. A password is only sent over TLS, unless the server is this machine. */
export function smtpMailer(options: SmtpOptions): Mailer {
  const { host, port, secure, username, password, from } = options
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(host)
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: username !== undefined && !isLocal,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
  })
  return {
    send: async ({ to, subject, text, html }) => {
      await transport.sendMail({ from, to, subject, text, html })
    },
  }
}

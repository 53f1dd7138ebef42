import type { AuthEnvironment } from '../sign-in/env.js'
import type { Log } from '../../http/log.js'
import { logMailer } from './log-mailer.js'
import type { Mail, Mailer } from './mail.js'

/** The mailer that MAIL_MAILER names. Its package is loaded with the first mail. */
export function createMailer(env: AuthEnvironment, log: Log): Mailer {
  if (env.MAIL_MAILER === 'log') {
    if (env.NODE_ENV === 'production') log.warn(unsent)
    return logMailer(log, env.MAIL_LOG)
  }
  return onFirstMail(env.MAIL_MAILER === 'resend' ? () => resend(env) : () => smtp(env))
}

const unsent =
  'MAIL_MAILER=log: nobody gets a mail, and whoever reads the log reads the links that set passwords'

function onFirstMail(open: () => Promise<Mailer>): Mailer {
  let opened: Promise<Mailer> | null = null
  return {
    send: async (mail: Mail) => {
      opened ??= open()
      await (await opened).send(mail)
    },
  }
}

async function resend(env: AuthEnvironment): Promise<Mailer> {
  const { resendMailer } = await import('./resend-mailer.js')
  const { RESEND_API_KEY: key = '', RESEND_BASE_URL: baseUrl, MAIL_FROM: from } = env
  return resendMailer({ key, baseUrl, from })
}

async function smtp(env: AuthEnvironment): Promise<Mailer> {
  const { smtpMailer } = await import('./smtp-mailer.js')
  return smtpMailer({
    host: env.SMTP_HOST ?? '',
    port: env.SMTP_PORT,
    secure: env.SMTP_SECURE === 'true',
    username: env.SMTP_USERNAME,
    password: env.SMTP_PASSWORD,
    from: env.MAIL_FROM,
  })
}

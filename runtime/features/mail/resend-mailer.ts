import { Resend } from 'resend'
import type { Mailer } from './mail.js'

interface ResendOptions {
  readonly key: string
  readonly baseUrl: string | undefined
  readonly from: string
}

/** Mails through Resend's API. */
export function resendMailer({ key, baseUrl, from }: ResendOptions): Mailer {
  const client = new Resend(key, baseUrl === undefined ? {} : { baseUrl })
  return {
    send: async ({ to, subject, text, html }) => {
      const { error } = await client.emails.send({ from, to, subject, text, html })
      if (error !== null) throw new Error(`Resend refused the mail: ${error.message}`)
    },
  }
}

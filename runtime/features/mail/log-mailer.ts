import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../http/log.js'
import type { Mailer } from './mail.js'

/** For development: mails go to the log and to a file, where their links can be followed. */
export function logMailer(log: Log, file: string): Mailer {
  return {
    send: async ({ to, subject, text }) => {
      log.info({ mail: { to, subject, text } }, `mail to ${to}: ${subject}`)
      await mkdir(dirname(file), { recursive: true })
      const head = `Date: ${new Date().toISOString()}\nTo: ${to}\nSubject: ${subject}`
      await appendFile(file, `${head}\n\n${text}\n\n---\n`, { mode: 0o600 })
    },
  }
}

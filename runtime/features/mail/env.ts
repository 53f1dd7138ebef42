import { z } from 'zod'
import { url, type Values, whole } from '../../config/env.js'

/** The variables that mail needs. Outside of production all have a value to develop with. */
export const mailEnv = {
  MAIL_MAILER: z.enum(['log', 'resend', 'smtp']).optional(),
  /** `Shop <no-reply@shop.example>` */
  MAIL_FROM: z.string().regex(/@/, { error: 'must be an e-mail address' }).optional(),
  /** The file the `log` mailer writes besides the log. */
  MAIL_LOG: z.string().default('storage/logs/mail.log'),
  RESEND_API_KEY: z.string().min(1).optional(),
  RESEND_BASE_URL: url.optional(),
  SMTP_HOST: z.string().min(1).optional(),
  SMTP_PORT: whole(1, 65_535).default(587),
  /** TLS from the first byte (port 465). Otherwise STARTTLS is used where the server offers it. */
  SMTP_SECURE: z.enum(['true', 'false']).default('false'),
  SMTP_USERNAME: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
}

type CheckedMailEnv = Values<typeof mailEnv>

/** The environment as mailers use it. */
export interface MailEnvironment extends CheckedMailEnv {
  readonly NODE_ENV: string
  readonly MAIL_MAILER: NonNullable<CheckedMailEnv['MAIL_MAILER']>
  readonly MAIL_FROM: string
}

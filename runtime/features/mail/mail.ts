import { html as escaped } from 'hono/html'

/** A mail without its receiver: what a notification makes. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mail extends MailContent {
  readonly to: string
}

/** Sends one mail. Fails when it was not taken. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

/** HTML in which every value is escaped. @example html`<p>Hello ${name}</p>` */
export function html(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String(escaped(parts, ...values))
}

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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** HTML in which every value is escaped. @example html`<p>Hello ${name}</p>` */
export function html(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((text, part, at) => text + escape(values[at - 1] ?? '') + part)
}

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)

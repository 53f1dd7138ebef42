import { expect } from 'vitest'
import type { Project } from '../support/project.js'

/** A request of an `http` block, and the answer that it shows. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
  /** Headers of the answer that it shows. */
  readonly answered: Readonly<Record<string, string>>
  /** JSON that the answer has at least, or its whole text; empty: nothing is shown of it. */
  readonly shown: string
}

/** Makes the requests of an `http` block, `###` between them; `$ADA` stands for the word of that name. */
export async function exchange(
  { request }: Pick<Project, 'request'>,
  text: string,
  words: Readonly<Record<string, string>>,
): Promise<void> {
  for (const part of text.split(/^###$/m)) {
    const wanted = read(filled(part, words))
    const { method, path, headers, body } = wanted
    const sent = body === '' ? {} : { body }
    const answer = await request(method, path, { headers, ...sent })
    expect(answer.status, `${part}\n${JSON.stringify(answer.body)}`).toBe(wanted.status)
    for (const [name, value] of Object.entries(wanted.answered)) {
      expect(answer.headers.get(name), part).toBe(value)
    }
    if (/^[[{]/.test(wanted.shown)) expect(answer.body).toMatchObject(JSON.parse(wanted.shown))
    else if (wanted.shown !== '') expect(answer.body).toBe(wanted.shown)
  }
}

const filled = (text: string, words: Readonly<Record<string, string>>) =>
  text.replaceAll(/\$([A-Z]+)\b/g, (_, name: string) => {
    const word = words[name]
    if (word === undefined) throw new Error(`no test says what $${name} is`)
    return word
  })

function read(text: string): Exchange {
  const [asked = '', answered = ''] = text.trim().split(/\n\nHTTP\/1\.1 /)
  const [head = '', ...body] = asked.split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  const [method = '', path = ''] = first.split(' ')
  const [end = '', ...shown] = answered.split('\n\n')
  const [status = '', ...told] = end.split('\n')
  const type = body.length === 0 ? {} : { 'content-type': 'application/json' }
  return {
    method,
    path,
    headers: { ...type, ...headersIn(lines) },
    body: body.join('\n\n'),
    status: Number.parseInt(status, 10),
    answered: headersIn(told),
    shown: shown.join('\n\n'),
  }
}

const headersIn = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/)
      return [name.toLowerCase(), value]
    }),
  )

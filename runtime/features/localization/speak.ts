import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { ending, type HttpError } from '../../errors.js'
import { outgoingOf, type Served, setHeader } from '../../http/context.js'
import { withDirectStep } from '../../http/direct.js'
import { sentence, speaking, type Speaker, type Wording, worded } from '../../input/messages.js'
import { getOwn } from '../../model/get-own.js'
import { answerIn } from './answers.js'
import type { Rule } from './english.js'
import { type AnyLanguage, checkTexts } from './messages.js'

interface Asker extends Speaker {
  readonly language: string
}

const asker = new AsyncLocalStorage<Asker>()

/** The language of who asks, for texts of your own: what the request prefers among those there are. */
export const language = (): string => asker.getStore()?.language ?? 'en'

/**
 * Says what is wrong with a request in the language that its `Accept-Language` prefers, and English
 * where it names none of these. Answers that say it have `Content-Language`.
 */
export function speak(messages: Readonly<Record<string, AnyLanguage>>): MiddlewareHandler<Served> {
  checkTexts(messages)
  speaking.current = () => asker.getStore()
  const { more: inEnglish } = ending
  ending.more = (count) => sentence('', worded(inEnglish(count), 'more', { count }))
  const languages = [...new Set(['en', ...Object.keys(messages)])]
  const inWords = (error: HttpError, c: Context): HttpError => {
    const preferred = preferredOf(c.req.header('accept-language'), languages)
    const said = answerIn(getOwn(messages, preferred)?.answers, error)
    if (said === null) return error
    setHeader(c, 'Content-Language', preferred)
    if (isRead(c.req.method)) addVary(c)
    return said
  }
  const handler: MiddlewareHandler<Served> = (c, next) => {
    const { method } = c.req
    c.set('inWords', inWords)
    if (isRead(method)) return next()
    addVary(c)
    return asker.run(speakerFor(c as unknown as Context), next)
  }
  const speakerFor = (c: Context): Asker => {
    const preferred = preferredOf(c.req.header('accept-language'), languages)
    const onSpoken = () => setHeader(c, 'Content-Language', preferred)
    return speakerOf(preferred, getOwn(messages, preferred), onSpoken)
  }
  // What fails is answered on the usual way.
  return withDirectStep(
    handler,
    ({ req, headers }) => {
      if (!isRead(req.method)) headers.push('Vary', 'Accept-Language')
    },
    ({ req, context }, rest) =>
      isRead(req.method) ? rest() : asker.run(speakerFor(context), rest),
  )
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** As RFC 4647 looks one up: `it-CH` is `it` where there is no `it-CH`. `q=0` is not wanted. */
function preferredOf(header: string | undefined, languages: readonly string[]): string {
  const known = new Map(languages.map((each) => [each.toLowerCase(), each]))
  for (const { type, q } of parseAccept(header ?? '')) {
    if (q === 0) continue
    const parts = type.toLowerCase().split('-')
    while (parts.length > 0) {
      const found = known.get(parts.join('-'))
      if (found !== undefined) return found
      parts.pop()
    }
  }
  return 'en'
}

function addVary(c: Context): void {
  const outgoing = outgoingOf(c)
  if (outgoing === undefined) c.header('Vary', 'Accept-Language', { append: true })
  else if (!outgoing.headersSent) outgoing.appendHeader('Vary', 'Accept-Language')
}

/** @param said Undefined: English, as the server says it anyway. */
function speakerOf(preferred: string, said: AnyLanguage | undefined, onSpoken: () => void): Asker {
  const wordings = new Map<string, Wording>()
  return {
    language: preferred,
    remember: (text, wording) => wordings.set(text, wording),
    say(text, field, repository) {
      onSpoken()
      const wording = wordings.get(text)
      if (said === undefined || wording === undefined) return undefined
      const own = fieldTexts(said, field, repository)
      const rule = wording.rule as Rule // what the server says has one of them, or none
      const template =
        (typeof own === 'object' ? getOwn(own, rule) : undefined) ?? getOwn(said.texts, rule)
      if (template === undefined) return undefined
      const values: Record<string, string> = { field: labelOf(own, field) }
      for (const [name, value] of Object.entries(wording.values)) values[name] = String(value)
      if (values['fields'] !== undefined) {
        const labels = values['fields'].split(', ').map((name) => {
          return labelOf(fieldTexts(said, name, repository), name)
        })
        values['fields'] = labels.join(', ')
      }
      if (typeof template === 'function') return (template as (of: object) => string)(values)
      return template.replaceAll(/\{(\w+)\}/g, (whole, name) => getOwn(values, name) ?? whole)
    },
  }
}

/** Forms of signing in say no repository: then it is whichever has such a field. */
function fieldTexts({ fields }: AnyLanguage, field: string, repository: string | undefined) {
  const all = repository === undefined ? Object.values(fields) : [getOwn(fields, repository) ?? {}]
  const found = all.find((each) => Object.hasOwn(each, field))
  return found === undefined ? undefined : getOwn(found, field)
}

const labelOf = (texts: AnyLanguage['fields'][string][string] | undefined, field: string) =>
  (typeof texts === 'object' ? texts.label : texts) ?? field.replaceAll('_', ' ')

import { badRequest } from '../errors.js'
import type { Access, Operation, WriteOptions } from '../model/entity.js'
import type { Exchange, PartOfRequest, RequestPart } from '../model/exchange.js'
import { extended } from '../policy/access.js'
import { badParameter } from './query.js'

/** Headers that a caller relies on, and why there may be nothing that understands them. */
const reasons: Readonly<Record<string, string>> = {
  'If-Match': 'no version of a record is kept here',
  'If-None-Match': 'POST alone makes a record, and PUT, PATCH and DELETE change one that is there',
  'If-Unmodified-Since': 'a second is too long to tell two writes apart',
  'Idempotency-Key': 'requests are not remembered here, and a repetition would be done again',
}

/** Parts that are refused where nothing understands them. */
export const reliedOn: readonly PartOfRequest[] = [
  ...Object.keys(reasons).map((name) => ({ in: 'header', name }) as const),
  { in: 'preference', name: 'max-affected' },
]

const unbounded = 'The max-affected of the Prefer header is not honoured here. Nothing was done.'

/** 400 for what a write would ignore; `instead`: what the caller can do. */
export function notUnderstood({ in: where, name }: PartOfRequest, instead?: string): Error {
  if (where === 'query')
    return badParameter(name, 'is not known: this write takes none of that name')
  if (name === 'max-affected') return badRequest(unbounded)
  const what = where === 'header' ? `${name} header` : `${name} of the Prefer header`
  const why = instead ?? reasons[name] ?? 'it means nothing to this write'
  return badRequest(`The ${what} cannot be honoured: ${why}. Nothing was done.`)
}

/** The name of the header that has a part; that of a parameter is its own. */
export const headerOf = ({ in: where, name }: PartOfRequest): string =>
  where === 'preference' ? 'Prefer' : name

type Sent = Pick<Exchange, 'header' | 'parameters'>

/** Returns the text of a part; undefined: it was not sent. */
export function textOf(sent: Sent, { in: where, name }: PartOfRequest): string | undefined {
  if (where === 'header') return sent.header(name)
  if (where === 'preference') return preference(sent.header('Prefer') ?? '', name)
  const [text, ...more] = sent.parameters.getAll(name)
  if (more.length > 0) throw badParameter(name, 'is given more than once')
  return text
}

/** RFC 7240: `return=minimal, max-affected=20`; the first counts, and one without a value is empty. */
function preference(text: string, name: string): string | undefined {
  for (const each of text.split(',')) {
    const [key = '', value = ''] = (each.split(';')[0] ?? '').split('=')
    if (key.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/**
 * What one call does besides; `access.parameters` holds what its request says to extensions. The
 * operation of a feature may be `like` another one: what means something to that one does here.
 */
export function forWrite(
  asked: Access,
  operation: Operation,
  { extensions, exchange = null, parameters: said, assumption = null }: WriteOptions = {},
  like = operation,
): Access {
  if (assumption !== null) Object.assign(asked.request, { assumption })
  const access = extended(asked, extensions)
  if (exchange === null) {
    return said === undefined ? access : Object.assign({}, access, { parameters: said })
  }
  const means = access.extensions
    .flatMap(({ says }) => says?.parts ?? [])
    .filter((part) => part.of.includes(operation) || part.of.includes(like))
  const isMeant = (part: PartOfRequest) =>
    means.some((each) => each.in === part.in && each.name === part.name)
  for (const part of exchange.understood) {
    if (!isMeant(part) && textOf(exchange, part) !== undefined) throw notUnderstood(part)
  }
  const parameters = new Map<string, unknown>()
  for (const part of means) {
    const text = textOf(exchange, part)
    if (text !== undefined) parameters.set(part.name, valueOf(part, text))
  }
  return Object.assign({}, access, { exchange, parameters })
}

function valueOf(part: RequestPart, text: string): unknown {
  const read = part.read(text)
  if ('value' in read) return read.value
  if (part.in === 'query') throw badParameter(part.name, read.problem)
  throw badRequest(
    part.in === 'header'
      ? `The ${part.name} header ${read.problem}.`
      : `The ${part.name} of the Prefer header ${read.problem}.`,
  )
}

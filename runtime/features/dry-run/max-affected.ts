import type { Context } from 'hono'
import { badRequest, HttpError } from '../../errors.js'
import type { PartOfRequest } from '../../model/exchange.js'
import { textOf } from '../../query/request-parts.js'
import type { Affected } from './affected.js'

const name = 'max-affected'

/** `Prefer: max-affected=20`: how many rows a request may write. */
export const bound: PartOfRequest = { in: 'preference', name }

const sent = ({ req }: Context) =>
  textOf({ header: (header) => req.header(header), parameters: none }, bound)

const none = new URLSearchParams()

export const isBounded = (c: Context): boolean =>
  c.req.header('Prefer') !== undefined && sent(c) !== undefined

/** Null: as many as it takes. */
export function mostAffected(c: Context): number | null {
  const text = isBounded(c) ? sent(c) : undefined
  if (text === undefined) return null
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(`The ${name} of the Prefer header must be a number of rows.`)
  return Number(text)
}

/** 409 with the number, where more was written. */
export function requireAtMost(most: number, affected: Affected): void {
  if (affected === null) throw badRequest(uncounted)
  const rows = Object.values(affected).reduce((sum, each) => sum + each, 0)
  if (rows <= most) return
  const tables = Object.entries(affected).map(([table, written]) => `${table} ${written}`)
  const message = `This writes ${rows} rows, and ${name} is ${most}. Nothing was done.`
  throw new HttpError(409, message, { [name]: [`${rows}: ${tables.join(', ')}.`] })
}

const uncounted = `The ${name} of the Prefer header cannot be honoured: the database does not count rows (track_counts). Nothing was done.`

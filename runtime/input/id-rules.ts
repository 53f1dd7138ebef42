import { z } from 'zod'
import { isUuid } from '../model/ids.js'

export function uuid() {
  return z.string().transform((value, context) => {
    if (!isUuid(value)) context.addIssue('must be a UUID')
    return value.toLowerCase()
  })
}

/** The id of another record, as number or text; that the user may see it is checked besides. */
export function reference(kind: 'integer'): ReturnType<typeof wholeId>
export function reference(kind: 'uuid'): ReturnType<typeof uuid>
export function reference(kind: 'integer' | 'uuid'): unknown {
  if (kind === 'uuid') return uuid()
  return wholeId()
}

function wholeId() {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const id = /^[1-9]\d{0,9}$/.test(String(value)) ? Number(value) : 0
    if (id === 0 || id > 2_147_483_647) context.addIssue('must be the id of a record')
    return id
  })
}

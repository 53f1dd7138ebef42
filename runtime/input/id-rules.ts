import { z } from 'zod'
import { integer } from '../kinds/integer.js'
import { uuid as uuidKind } from '../kinds/uuid.js'
import { worded } from './messages.js'
import { storedText } from './stored-rule.js'

export const uuid = () => storedText(uuidKind)

/** The id of another record, as number or text; that the user may see it is checked besides. */
export function reference(kind: 'integer'): ReturnType<typeof wholeId>
export function reference(kind: 'uuid'): ReturnType<typeof uuid>
export function reference(kind: 'integer' | 'uuid'): unknown {
  if (kind === 'uuid') return uuid()
  return wholeId()
}

function wholeId() {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const id = integer.key?.fromText(String(value))
    if (id === undefined) context.addIssue(worded('must be the id of a record', 'exists'))
    return Number(id)
  })
}

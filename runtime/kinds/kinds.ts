import { bigInteger } from './big-integer.js'
import { boolean } from './boolean.js'
import { dateTime } from './date-time.js'
import { date } from './date.js'
import { decimal } from './decimal.js'
import { float } from './float.js'
import { integer } from './integer.js'
import { json } from './json.js'
import type { StoredKind } from './kind.js'
import { password } from './password.js'
import { text } from './text.js'
import { uuid } from './uuid.js'

const kinds = [
  integer,
  bigInteger,
  float,
  decimal,
  boolean,
  text,
  password,
  uuid,
  date,
  dateTime,
  json,
] as const

/** The name of a column's storage. */
export type KindName = (typeof kinds)[number]['name']

const byName = Object.fromEntries(kinds.map((kind) => [kind.name, kind]))

export function storedKind(name: KindName): StoredKind<KindName> {
  const kind = byName[name]
  if (kind === undefined) throw new TypeError(`there is no kind '${name}'`)
  return kind
}

const byType = new Map(kinds.flatMap((kind) => kind.declared.map((type) => [type, kind] as const)))

/** SQLite: the kind of a column whose table declares this type; undefined: the driver's value is ours. */
export const declaredKind = (type: string): StoredKind | undefined => byType.get(type.toUpperCase())

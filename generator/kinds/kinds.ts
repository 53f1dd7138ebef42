import type { StoredKind } from '../../runtime/kinds/kind.js'
import { type KindName, storedKind } from '../../runtime/kinds/kinds.js'
import { boolean } from './boolean.js'
import { dateTime } from './date-time.js'
import { date } from './date.js'
import { field } from './field.js'
import { json } from './json.js'
import type { KeyFacts, Kind } from './kind.js'
import { multiSelect } from './multi-select.js'
import { bigInteger } from './number/big-integer.js'
import { decimal } from './number/decimal.js'
import { float } from './number/float.js'
import { integer } from './number/integer.js'
import { number } from './number/number.js'
import { select } from './select.js'
import { color } from './text/color.js'
import { email } from './text/email.js'
import { locale } from './text/locale.js'
import { password } from './text/password.js'
import { phone } from './text/phone.js'
import { slug } from './text/slug.js'
import { withTextRules } from './text/text-rules.js'
import { text } from './text/text.js'
import { textarea } from './text/textarea.js'
import { url } from './text/url.js'
import { uuid } from './text/uuid.js'
import { toggle } from './toggle.js'

/** All field kinds. */
export const kinds = [
  field,
  text,
  textarea,
  number,
  integer,
  bigInteger,
  float,
  decimal,
  boolean,
  toggle,
  date,
  dateTime,
  json,
  multiSelect,
  email,
  url,
  phone,
  password,
  uuid,
  select,
  slug,
  color,
  locale,
] as const

export type FieldKind = (typeof kinds)[number]['name']

/** Kinds whose values are told apart; `field`, `text` and `textarea` are one. */
export type Group = (typeof kinds)[number]['group']

/** The server's way to store and compare a value. */
export type Storage = KindName

const byName = new Map<string, Kind<FieldKind, Group>>(
  kinds.map((kind) => [kind.name, kind.isText ? withTextRules(kind) : kind]),
)

export function kindOf(name: FieldKind): Kind<FieldKind, Group> {
  const kind = byName.get(name)
  if (kind === undefined) throw new TypeError(`there is no field kind '${name}'`)
  return kind
}

/** A value is one of the options of its field. */
export function isChoiceOfOne(name: FieldKind): boolean {
  const { takes, isList } = kindOf(name)
  return takes === 'options' && !isList
}

export const isFieldKind = (name: string): name is FieldKind => byName.has(name)

/** The runtime's facts about its values. */
export const storedAs = ({ kind }: { readonly kind: FieldKind }): StoredKind =>
  storedKind(kindOf(kind).storage)

/** Kinds of ids. */
const keyKinds = [integer, bigInteger, uuid, text] as const

export type KeyKind = (typeof keyKinds)[number]['name']

const keys = new Map(
  keyKinds.flatMap(({ key, name }) => (key === null ? [] : [[key.word, name] as const])),
)

/** Words of the manifest for `id`. */
export const keyWords: readonly string[] = [...keys.keys()]

/** Returns the kind of a word of the manifest. */
export const keyKindOf = (word: string): KeyKind => keys.get(word) ?? 'integer'

export function keyOf(kind: FieldKind): KeyFacts {
  const { key } = kindOf(kind)
  if (key === null) throw new TypeError(`no key of a table is ${kind}`)
  return key
}

/** The keys of which a column that holds several kinds of them has the texts. */
export const keysInText = keyKinds.flatMap(({ key }) => key?.morph ?? [])

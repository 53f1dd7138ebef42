import { unauthenticated } from '../../errors.js'
import { absent, sentence } from '../../input/messages.js'
import { checkValues, type Input } from '../../input/validation.js'
import { canonical } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Entity, Extension, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { userId } from '../../policy/access.js'
import { combine, self } from '../../policy/condition.js'
import { maySee } from '../../policy/gates.js'
import { badParameter } from '../../query/query.js'

/** Columns whose values no two records have together. */
export type Key = readonly string[]

interface KeysOptions {
  /** Columns that are unique in any case: `Ada@x.org` is `ada@x.org`. */
  readonly anyCase?: readonly string[]
}

interface Upserting extends Extension {
  readonly upsertKeys: readonly Key[]
  readonly anyCase: ReadonlySet<string>
}

declare module '../../model/operations.js' {
  interface Operations {
    readonly upsert: true
  }
}

/** The parameter that names a key. */
export const parameter = 'upsertBy'

/**
 * For a repository: the keys by which a request may change the record that is there, or make it.
 * Each is one unique column, or several that are unique together.
 *
 * @example extensions: [upsertBy(['sku', ['company_id', 'code']])]
 */
export function upsertBy(
  said: readonly (string | Key)[],
  { anyCase = [] }: KeysOptions = {},
): Upserting {
  const keys = said.map((key) => [key].flat())
  return {
    upsertKeys: keys,
    anyCase: new Set(anyCase),
    // Whoever asks for an upsert has read it: see `keyAsked`.
    says: {
      parts: [{ in: 'query', name: parameter, of: ['upsert'], read: (value) => ({ value }) }],
    },
  }
}

const isUpserting = (extension: Extension): extension is Upserting => 'upsertKeys' in extension

const upsertingOf = ({ extensions, key }: Entity): Upserting => {
  const found = extensions.find(isUpserting)
  if (found === undefined) throw new TypeError(`'${key}' declares no upsertBy`)
  return found
}

/** The keys that a repository declares; none where it has no `upsertBy`. */
export const keysOf = ({ extensions }: Entity): readonly Key[] =>
  extensions.find(isUpserting)?.upsertKeys ?? []

/** `company_id,code`, in any order; null: no key is declared so. */
function keyNamed(keys: readonly Key[], text: string): Key | null {
  const named = text.split(',').map((name) => name.trim())
  const isSame = (key: Key) =>
    key.length === named.length && key.every((name) => named.includes(name))
  return keys.find(isSame) ?? null
}

const wordsOf = (keys: readonly Key[]): string => {
  const texts = keys.map((key) => key.join())
  return texts.length === 1 ? (texts[0] ?? '') : `one of: ${texts.join(' · ')}`
}

/** The key that somebody names in code. */
export function keyOf(entity: Entity, text: string): Key {
  const { upsertKeys: keys } = upsertingOf(entity)
  const found = keyNamed(keys, text)
  if (found === null)
    throw new TypeError(`'${text}' is not a key of '${entity.key}': ${wordsOf(keys)}`)
  return found
}

/** The key that a parameter names; 400 where that is none. */
export function keyAsked(entity: Entity, [text = '', ...more]: readonly string[]): Key {
  if (more.length > 0) throw badParameter(parameter, 'is given more than once')
  const { upsertKeys: keys } = upsertingOf(entity)
  const found = keyNamed(keys, text)
  if (found === null) throw badParameter(parameter, `must be ${wordsOf(keys)}`)
  return found
}

/**
 * The same as a schema names it: `company_id_code`. Where another key reads the same, `a_b` with `c`
 * and `a` with `b_c`, they are `a_b__c` and `a__b_c`.
 */
export function keyInSchema(entity: Entity, name: string): Key {
  const { upsertKeys: keys } = upsertingOf(entity)
  const withName = (sign: string) => keys.filter((key) => key.join(sign) === name)
  const short = withName('_')
  const found = short.length === 1 ? short[0] : withName('__')[0]
  if (found === undefined) throw new TypeError(`'${name}' is not a key of '${entity.key}'`)
  return found
}

/** The values of a key in a body, or their errors, by field. */
export interface KeyOfBody {
  /** As rows hold them; whole where nothing is wrong. */
  readonly values: Row
  readonly problems: ReadonlyMap<string, string[]>
}

/** Columns that are the signed-in user's have that value, whatever the body says. */
export function readKey({ entity, request }: Access, key: Key, body: Input): KeyOfBody {
  const filled = entity.relations?.filledColumns ?? []
  const { values: read, errors } = checkValues(entity.rules, key, body)
  const values: Row = {}
  const problems = new Map<string, string[]>()
  for (const name of key) {
    if (filled.includes(name)) {
      values[name] = userId(request)
      if (values[name] === null) throw unauthenticated()
      continue
    }
    const given = getOwn(body, name)
    const value = canonical(columnNamed(entity, name), getOwn(read, name))
    if (given === undefined || given === null) problems.set(name, [sentence(name, absent(given))])
    else if (errors.has(name)) problems.set(name, errors.get(name) ?? [])
    else values[name] = value
  }
  return { values, problems }
}

/**
 * Returns true if it may be told which record has a value: who does not see the field learns of
 * none.
 */
export const maySeeKey = (access: Access, key: Key): boolean =>
  key.every((name) => maySee(access, name))

export const isAnyCase = (entity: Entity, name: string): boolean =>
  upsertingOf(entity).anyCase.has(name)

/** The record with this key. */
export function conditionOf(entity: Entity, key: Key, values: Row): unknown {
  const tests = key.map((name) => {
    if (!isAnyCase(entity, name)) return { [name]: values[name] }
    const lower = entity.dialect === 'sqlite' ? ') = lower(' : ' collate "C") = lower('
    return combine('sql', [self(name), values[name]], ['lower(', lower, ')'])
  })
  return combine('all', tests)
}

/** The key of a row as one text: of rows that have the same, only one can be. */
export const textOfKey = (entity: Entity, key: Key, row: Row): string =>
  JSON.stringify(
    key.map((name) => {
      const text = String(row[name])
      // As the databases do: A to Z alone.
      return isAnyCase(entity, name)
        ? text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        : text
    }),
  )

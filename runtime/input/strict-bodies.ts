import { countedText } from '../errors.js'
import type { PlannedRecord, StrictBodies, Write } from '../model/entity.js'
import { nearest } from '../model/nearest.js'
import { mayWrite } from '../policy/access.js'
import { sentence, worded } from './messages.js'
import { isFilled } from './validation.js'

/** Keys of one body that are named: each is compared with every name that there is. */
const mostKeys = 20
/** Characters of a key that are repeated. */
const longest = 64

/** For `strict_bodies: true` in config/svc.ts; app/settings.ts hands it to every repository. */
export const strictBodies: StrictBodies = {
  ofWrite: (record, more) => strangers(record.write.body, keysOf(record, more)),
  count: (record, more) => unknownKeys(record.write.body, keysOf(record, more)).length,
  ofForm: (body, takes) => strangers(body, { takes }),
}

interface Keys {
  readonly takes: readonly string[]
  /** Keys that change nothing: responses show them, so that a record can be sent back. */
  readonly ignores?: readonly string[]
  /** By relation: the column that is meant. */
  readonly pointers?: ReadonlyMap<string, string> | undefined
}

/**
 * What a body may hold: fields that it writes, and those that are not for this user or for no
 * body. Its id, and what makes it its parent's, are those that the path has.
 */
function keysOf(record: PlannedRecord, more: (of: PlannedRecord) => readonly string[]): Keys {
  const { access, write } = record
  const { operation, idText, body } = write
  const { entity, parent } = access
  const gates = operation === 'store' ? 'canStore' : 'canUpdate'
  const rules = Object.keys(entity.rules)
  const own = new Map<string, unknown>(Object.entries(parent?.columns ?? {}))
  // `id` is a field where bodies name the ids of new records.
  if (idText !== null || !rules.includes('id')) own.set('id', idText)
  const isFree = (name: string) => !own.has(name)
  const said = [...own].filter(([name, value]) => value !== null && isSame(body[name], value))
  const fields = rules.filter(
    (name) => isFree(name) && mayWrite(access, gates, name) && !isFilled(entity, name, gates),
  )
  return {
    takes: [...fields, ...more(record)],
    ignores: [...[...rules, ...entity.attributes].filter(isFree), ...said.map(([name]) => name)],
    pointers: entity.relations?.pointers,
  }
}

const isSame = (given: unknown, value: unknown): boolean => String(given) === String(value)

function unknownKeys(body: Write['body'], { takes, ignores = [] }: Keys): readonly string[] {
  const known = new Set([...takes, ...ignores])
  return Object.keys(body).filter((key) => !known.has(key))
}

/** All of them count as errors, and the first are named. */
function strangers(body: Write['body'], keys: Keys): ReadonlyMap<string, string[]> {
  const errors = new Map<string, string[]>()
  for (const key of unknownKeys(body, keys)) {
    const name = key.length > longest ? `${key.slice(0, longest)}…` : key
    const isNamed = errors.size < mostKeys && !errors.has(name)
    if (isNamed) errors.set(name, [sentence(name, unknownText(key, keys))])
    else errors.set(key, [countedText])
  }
  return errors
}

function unknownText(key: string, { takes, pointers }: Keys): string {
  const other = pointers?.get(key)
  const isTaken = other !== undefined && takes.includes(other)
  const meant = isTaken ? other : nearest(key, takes)
  const list = takes.join(', ') || 'nothing'
  const guess = meant === undefined ? `. What is taken here: ${list}` : `: '${meant}' is`
  return worded(`is not known${guess}`, 'unknown', { known: list })
}

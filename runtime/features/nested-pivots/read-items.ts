import { absent, sentence, worded } from '../../input/messages.js'
import { checkValues, type Input } from '../../input/validation.js'
import type { Access, Row } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { readId } from '../../model/ids.js'
import { notThere } from '../../operations/refused-by-database.js'
import { mustBeObject } from '../../operations/write/inputs.js'
import type { PivotLink } from '../relations/relation-sql.js'
import { type Key, keysOf, readKey, textOfKey } from '../upsert/keys.js'

/** A related record that a body names. */
export interface Item {
  /** The record of the request that names it. */
  readonly record: number
  /** The place in the body of that record: `tags.0`. */
  readonly place: string
  /** Pivot fields to write with it. */
  readonly pivots: Row
  readonly named: NamedById | NamedByKey
}

export interface NamedById {
  readonly id: number | string
}

/** By a key of `upsertBy`: the record that has it, or a new one. */
export interface NamedByKey {
  readonly key: Key
  readonly values: Row
  /** The key as one text: items with the same are one record. */
  readonly text: string
  /** Fields of the new record. */
  readonly body: Input
}

/** Something that is wrong with the body of a record, by a name in it. */
export type Problem = readonly [record: number, name: string, text: string]

interface ReadItems {
  readonly items: readonly Item[]
  readonly problems: readonly Problem[]
}

/** Related records that one record may name. */
const mostItems = 1_000

/** Reads `tags: [{ id: '3' }, { name: 'red', pivots: { position: 1 } }]` of one record. */
export function readItems(behind: Access, link: PivotLink, record: number, body: Input): ReadItems {
  const { key: relation } = link
  if (!Object.hasOwn(body, relation)) return { items: [], problems: [] }
  const list = body[relation]
  const wrong = (text: string): ReadItems => {
    return { items: [], problems: [[record, relation, sentence(relation, text)]] }
  }
  if (!Array.isArray(list)) return wrong(worded('must be a list of records', 'records'))
  if (list.length > mostItems) {
    const text = `must not have more than ${mostItems} items`
    return wrong(worded(text, 'maxItems', { max: mostItems }))
  }
  const read = list.map((item: unknown, at) =>
    readItem(behind, link, { record, place: `${relation}.${at}` }, item),
  )
  return {
    items: read.flatMap(({ items }) => items),
    problems: read.flatMap(({ problems }) => problems),
  }
}

type Place = Pick<Item, 'record' | 'place'>

function readItem(behind: Access, link: PivotLink, at: Place, item: unknown): ReadItems {
  if (!isRecord(item)) return { items: [], problems: [[at.record, at.place, mustBeObject]] }
  const { pivots: saidOfPivot, ...fields } = item
  const pivots = readPivotFields(link, saidOfPivot)
  const named = Object.hasOwn(fields, 'id') ? readNamed(behind, fields) : readKeyed(behind, fields)
  const problems = [...pivots.problems, ...named.problems].map(([name, text]): Problem => [
    at.record,
    `${at.place}.${name}`,
    text,
  ])
  if (problems.length > 0 || named.value === null) return { items: [], problems }
  return { items: [{ ...at, pivots: pivots.value, named: named.value }], problems: [] }
}

interface ReadPart<Value> {
  readonly value: Value
  readonly problems: readonly (readonly [name: string, text: string])[]
}

/** Reads the pivot fields of an item, as answers show them. */
function readPivotFields({ relation }: PivotLink, said: unknown): ReadPart<Row> {
  if (said !== undefined && !isRecord(said)) {
    const text = sentence('pivots', worded('must be an object', 'object'))
    return { value: {}, problems: [['pivots', text]] }
  }
  const rules = relation.pivot.rules ?? {}
  const names = Object.keys(rules)
  const { values, errors } = checkValues(rules, names, said ?? {})
  const unknown = Object.keys(said ?? {}).filter((name) => !names.includes(name))
  return {
    value: values,
    problems: [
      ...[...errors].flatMap(([name, texts]) =>
        texts.map((text) => [`pivots.${name}`, text] as const),
      ),
      ...unknown.map((name) => [`pivots.${name}`, unknownField(name)] as const),
    ],
  }
}

const unknownField = (name: string) => sentence(name, worded('is not known', 'notKnown'))

/** A record that is there is not changed: its id says all of it. */
function readNamed({ entity }: Access, { id: said, ...others }: Input): ReadPart<NamedById | null> {
  const problems = Object.keys(others).map((name) => [name, unknownField(name)] as const)
  if (typeof said !== 'string' && typeof said !== 'number') {
    const text = sentence('id', worded('must be the id of a record', 'recordId'))
    return { value: null, problems: [['id', text], ...problems] }
  }
  const id = readId(entity.id, String(said))
  if (id === null) return { value: null, problems: [['id', noSuchRecord()], ...problems] }
  return { value: { id }, problems }
}

export const noSuchRecord = () => sentence('id', worded(notThere, 'exists'))

/** A record is named by the first of the keys that it says all of. */
function readKeyed(behind: Access, fields: Input): ReadPart<NamedByKey | null> {
  const { entity } = behind
  const filled = entity.relations?.filledColumns ?? []
  const isSaid = (name: string) => Object.hasOwn(fields, name) || filled.includes(name)
  const key = keysOf(entity).find((each) => each.every(isSaid))
  if (key === undefined)
    return { value: null, problems: [['id', sentence('id', absent(undefined))]] }
  const { values, problems } = readKey(behind, key, fields)
  if (problems.size > 0) {
    const named = [...problems].flatMap(([name, texts]) =>
      texts.map((text) => [name, text] as const),
    )
    return { value: null, problems: named }
  }
  const text = `${key.join()} ${textOfKey(entity, key, values)}`
  return { value: { key, values, text, body: fields }, problems: [] }
}

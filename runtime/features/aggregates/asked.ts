import { badRequest } from '../../errors.js'
import type { Access, Extension } from '../../model/entity.js'
import { nearest } from '../../model/nearest.js'
import type { IndexQuery, MatchValue, ShowQuery } from '../../model/queries.js'
import { namesIn } from '../../query/names-in.js'
import { badParameter } from '../../query/query.js'
import { unknownName } from '../../query/strict-queries.js'
import { declaredIn } from './aggregates.js'
import { type AggregateFunction, functionsOf } from './functions.js'
import { isPeriod, type Period, periods } from './periods.js'
import { type Place, placeNamed, placesNamed } from './places.js'
import { type Zone, zoneNamed } from './zones.js'

/** Parameters besides those of lists. */
export interface Said {
  /** `status`, `created_at:month`. */
  readonly groupBy: readonly string[]
  /** `count`, `sum(price)`. */
  readonly select: readonly string[]
  /** `Europe/Rome`; null: UTC. */
  readonly tz: string | null
}

export interface Group extends Place {
  /** As it was asked for: `created_at:month`. */
  readonly text: string
  readonly period: Period | null
}

export interface Selected {
  /** `sum(price)` */
  readonly text: string
  readonly function: AggregateFunction | 'count'
  /** Null: of whole records. */
  readonly place: Place | null
}

export interface Asked {
  readonly groups: readonly Group[]
  readonly selected: readonly Selected[]
  readonly zone: Zone | null
}

const names = ['groupBy', 'select', 'tz'] as const

/** An extension of one request for aggregates: its parameters win over columns of these names. */
export const ofAggregates: Extension = {
  read: {
    asks: { names, of: 'list', change: readSaid },
  },
}

const member = 'aggregates'

/** Returns the parameters of a query. */
export const saidIn = ({ asked }: IndexQuery): Said =>
  (asked?.[member] as Said | undefined) ?? { groupBy: [], select: [], tz: null } // as below

export const saying = <Query extends Partial<IndexQuery>>(query: Query, said: Said): Query =>
  Object.assign({}, query, { asked: Object.assign({}, query.asked, { [member]: said }) })

function readSaid<Query extends ShowQuery & Partial<IndexQuery>>(
  _access: Access,
  query: Query,
  values: readonly MatchValue[],
): Query {
  const texts = (name: string) =>
    values.filter(({ column }) => column === name).map(({ text }) => text)
  const unread = values.find(({ column }) => !names.some((name) => name === column))
  if (unread !== undefined) throw badParameter(unread.column, 'is not known')
  const [tz = null, ...more] = texts('tz')
  if (more.length > 0) throw badParameter('tz', 'must not be sent more than once')
  const list = (name: string) => texts(name).flatMap(namesIn)
  return saying(query, { groupBy: list('groupBy'), select: list('select'), tz })
}

/** Reads the aggregates that this user may ask for; throws 400 naming what is unknown. */
export async function readAsked(access: Access, { groupBy, select, tz }: Said): Promise<Asked> {
  const zone = tz === null ? null : zoneNamed(tz)
  if (tz !== null && zone === null) {
    throw badParameter('tz', 'must be the name of a time zone, as Europe/Rome')
  }
  const groups: Group[] = []
  for (const text of new Set(groupBy)) {
    const group = await groupOf(access, text)
    if (groups.some(({ name }) => name === group.name)) {
      throw badParameter('groupBy', `must not name ${group.name} more than once`)
    }
    groups.push(group)
  }
  const selected: Selected[] = []
  for (const text of new Set(select)) selected.push(await selectedOf(access, text))
  const hasNone = selected.length === 0
  return { groups, selected: hasNone ? [counted] : selected, zone: await zone }
}

async function groupOf(access: Access, text: string): Promise<Group> {
  const { groupBy } = declaredIn(access.entity)
  const [name = '', word, ...more] = text.split(':')
  const place = groupBy.includes(name) ? await placeNamed(access, name) : null
  if (place === null) {
    const known = await placesNamed(access, groupBy)
    const how = `group ${access.entity.key} by`
    throw unknownName(
      'groupBy',
      name,
      how,
      known.map((each) => each.name),
    )
  }
  if (word === undefined) return { ...place, text, period: null }
  if (!place.column.storage.isTime) {
    throw badParameter('groupBy', `must not name a period of ${name}, which is no date or time`)
  }
  if (isPeriod(word) && more.length === 0) return { ...place, text, period: word }
  const example = `${name}:month`
  throw badParameter('groupBy', `must name one of ${periods.join(', ')}: ${example}`)
}

const counted: Selected = { text: 'count', function: 'count', place: null }

async function selectedOf(access: Access, text: string): Promise<Selected> {
  if (text === counted.text) return counted
  const name = /^\w+\((.*)\)$/s.exec(text)?.[1]
  const place = name === undefined ? null : await placeNamed(access, name)
  const found = place && selectable(access, place).find((each) => each.text === text)
  if (found !== null && found !== undefined) return found
  const { groupBy, of } = declaredIn(access.entity)
  const places = await placesNamed(access, [...new Set([...of, ...groupBy])])
  throw unknownSelect(access, text, places)
}

/**
 * Lists the possible aggregates, grouped by columns that have the same ones: there may be a
 * hundred.
 */
function unknownSelect(access: Access, text: string, places: readonly Place[]): Error {
  const columns = new Map<string, string[]>()
  for (const place of places) {
    const all = selectable(access, place)
      .map((each) => each.function)
      .join(', ')
    columns.set(all, [...(columns.get(all) ?? []), place.name])
  }
  const known = places.flatMap((place) => selectable(access, place)).map((each) => each.text)
  const meant = nearestSelect(text, [counted.text, ...known])
  const guess = meant === undefined ? '' : ` '${meant}' is one.`
  const lists = [...columns].map(([all, names]) => `; ${all} of ${names.join(', ')}`)
  const message = `There is no '${text}' to select of ${access.entity.key}.${guess} They have count${lists.join('')}.`
  return badRequest(message, { select: [message] })
}

/** Lists the aggregates of a column. */
function selectable({ entity }: Access, place: Place): readonly Selected[] {
  const isOf = declaredIn(entity).of.includes(place.name)
  return functionsOf(place, isOf).map((name) => ({
    text: `${name}(${place.name})`,
    function: name,
    place,
  }))
}

/** The name of a column is what is mistaken, where there is such a function. */
function nearestSelect(text: string, known: readonly string[]): string | undefined {
  const [, start, inner] = /^(\w+\()(.*)\)$/s.exec(text) ?? []
  const alike = known.filter((each) => start !== undefined && each.startsWith(start))
  if (start === undefined || inner === undefined || alike.length === 0) return nearest(text, known)
  const names = alike.map((each) => each.slice(start.length, -1))
  const name = nearest(inner, names)
  return name === undefined ? undefined : `${start}${name})`
}

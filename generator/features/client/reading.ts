import type { Entity } from '../../blueprint/types.js'
import { hasSearch } from '../openapi/schemas/parameters.js'
import { relationshipsOf } from '../openapi/schemas/relationship-schemas.js'
import { allMatches } from './match-members.js'
import {
  includedOf,
  readingPartsOf,
  withoutOnePage,
  type Client,
  type ReadingPart,
} from './names.js'

/** The query type of some repository's records, and the type of the answer. */
export interface Reading {
  readonly generics: string
  readonly listQuery: string
  /** The query type of functions that read page after page. */
  readonly walkedQuery: string
  readonly showQuery: string
  /** The query type of one record, with the features' options. */
  readonly recordQuery: string
  readonly record: string
  /** Without anything included, as writes answer it. */
  readonly plain: string
  /** As what makes one answers it, and what changes one. */
  readonly made: string
  readonly changed: string
}

/** @param pivots The type of the pivot columns that each record has beside it, or null. */
export function readingOf(
  client: Client,
  targets: readonly Entity[],
  pivots: string | null = null,
): Reading {
  const [target, ...others] = targets
  if (target === undefined || others.length > 0) return readingOfAny(client, targets)
  const beside = pivots === null ? '' : ` & { pivots: ${pivots} }`
  const asked = askedOf(client, targets)
  const parts = readingPartsOf(client, target)
  return readingWith(client, target, {
    ...{ beside, asked, parts },
    included: includedOf(client, target),
  })
}

/** Returns the query type of the profile, which has no options of features. */
export const profileReading = (client: Client, users: Entity): Reading =>
  readingWith(client, users, { beside: '', asked: '', included: null, parts: [] })

/** Types beside the record's, and its options. */
interface Beside {
  readonly beside: string
  readonly asked: string
  /** The type of `include` besides a list of paths, or null. */
  readonly included: string | null
  readonly parts: readonly ReadingPart[]
}

function readingWith(
  client: Client,
  target: Entity,
  { beside, asked, included, parts }: Beside,
): Reading {
  const name = client.name(target)
  const has = hasRelations(client, target)
  const all = [
    ...(has ? [`const Include extends ${name}Include = never`] : []),
    ...parts.map(({ generic }) => generic),
  ]
  const more = parts.map(({ query }) => ` & ${query}`).join('')
  const ways = included === null ? '' : `, ${included}`
  const listQuery = `${name}Query${has ? '<Include>' : ''}${more}`
  const shown = has ? `ShowQuery<${name}Relations, Include${ways}>` : 'Options'
  const record = parts.reduce((inner, part) => part.record(inner), has ? `${name}<Include>` : name)
  return {
    generics: all.length === 0 ? '' : `<${all.join(', ')}>`,
    listQuery,
    walkedQuery: listQuery + withoutOnePage(client),
    showQuery: shown + more,
    recordQuery: shown + more + asked,
    record: record + beside,
    plain: name,
    made: writtenOf(client, target, 'store'),
    changed: writtenOf(client, target, 'update'),
  }
}

/** With the related records that were written with it, where features let them be. */
function writtenOf(client: Client, entity: Entity, write: 'store' | 'update'): string {
  const name = client.name(entity)
  const keys = [...client.parts.values()].flatMap(
    ({ written }) => written?.(client, entity, write) ?? [],
  )
  if (keys.length === 0) return name
  const related = `${name}<${keys.map((key) => `'${key}'`).join(' | ')}>['relationships']`
  return `Omit<${name}, 'relationships'> & { relationships?: Partial<${related}> }`
}

/** A record of one of several repositories: what one may include, another may not have. */
function readingOfAny(client: Client, targets: readonly Entity[]): Reading {
  const { name } = client
  const records = (path: string) =>
    targets.map((target) => `Resource<${name(target)}Model${path}>`).join(' | ')
  const listQuery = `ListQuery<object, string>${findingAny(client, targets)}`
  return {
    generics: '',
    listQuery,
    walkedQuery: listQuery + withoutOnePage(client),
    showQuery: 'ShowQuery<object, string>',
    recordQuery: `ShowQuery<object, string>${askedOf(client, targets)}`,
    record: records(', string'),
    plain: records(''),
    made: records(''),
    changed: records(''),
  }
}

/** Returns the features' options for these repositories. */
function askedOf(client: Client, targets: readonly Entity[]): string {
  const all = [...client.parts.values()].flatMap(({ askedOfOne }) =>
    targets.flatMap((target) => askedOfOne?.(client, target) ?? []),
  )
  const members = all.map(({ property, type }) => `readonly ${property}?: ${type} | undefined`)
  return all.length === 0 ? '' : ` & { ${[...new Set(members)].join('; ')} }`
}

/** Some are found by what others do not have. */
function findingAny(client: Client, targets: readonly Entity[]): string {
  const { name } = client
  const matches = targets.filter((target) => allMatches(client, target).length > 0)
  const members = [
    ...(targets.some(hasSearch) ? ['readonly search?: string | undefined'] : []),
    ...(matches.length === 0
      ? []
      : [
          `readonly match?: ${matches.map((each) => `${name(each)}Match`).join(' | ')} | undefined`,
        ]),
  ]
  return members.length === 0 ? '' : ` & { ${members.join('; ')} }`
}

export const hasRelations = ({ api }: Client, entity: Entity) =>
  Object.keys(relationshipsOf(api, entity)).length > 0

/** The types of bodies. */
export function bodiesOf({ name }: Client, targets: readonly Entity[]) {
  const all = (ending: string) => targets.map((target) => name(target) + ending).join(' | ')
  return { store: all('Store'), replace: all('Replace'), patch: all('Patch') }
}

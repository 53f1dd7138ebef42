import type { Entity } from '../../blueprint/types.js'
import type { Client, ClientPart } from '../client/names.js'
import { hasRelations } from '../client/reading.js'
import { hasRead } from '../reads/feature.js'

/** `include: { reviews: { perPage: 3, sort: '-id' } }`, in place of a list of paths. */
export const includeArgumentsInClient: ClientPart = {
  included: (client, entity) =>
    hasArguments(client, entity) ? `IncludeParts<${client.name(entity)}Relations, Include>` : null,
  list: (client, entity) => `ListPart<${client.name(entity)}Query>`,
  hasReadingTypes: hasArguments,
  readingTypes: {
    IncludeParts: `/** By path, \`true\`, or which records of the list there come: \`{ reviews: { perPage: 3 }, seller: true }\`. */
export type IncludeParts<Relations, Path extends string> = {
  readonly [Each in Path]: [Wrong<Relations, Each, 3>] extends [never]
    ? true | PartOf<Relations, Each, 3>
    : Wrong<Relations, Each, 3>
}

type PartOf<Relations, Path extends string, Left extends keyof Fewer> = Left extends 0
  ? object
  : [Rest<Path, First<Path>>] extends [never]
    ? ListOf<Entry<Relations, First<Path>>>
    : PartOf<Below<Relations, First<Path>>, Rest<Path, First<Path>>, Fewer[Left]>

type Entry<Relations, Name> = Relations extends unknown
  ? Name extends keyof Relations
    ? Relations[Name]
    : never
  : never

type ListOf<Entry> = Entry extends Many<infer Of, infer _> ? Of['list'] & object : never`,
    ListPart: `/** Options of an included list. */
export type ListPart<Query> = {
  readonly [Name in Extract<keyof Query, 'page' | 'perPage' | 'search' | 'sort' | 'match'>]?:
    | Query[Name]
    | (Name extends 'sort' ? NonNullable<Query[Name]>[keyof NonNullable<Query[Name]> & number] : never)
}`,
  },
}

/** Returns true if a request can choose what an included list of a repository has. */
function hasArguments(client: Client, entity: Entity): boolean {
  return hasRead(entity, client.api.project, 'includeArguments') && hasRelations(client, entity)
}

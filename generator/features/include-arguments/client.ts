import type { ClientPart } from '../client/names.js'
import { hasRelations } from '../client/reading.js'
import { hasRead } from '../reads/feature.js'

/** `include: { reviews: { perPage: 3, sort: '-id' } }`, in place of a list of paths. */
export const includeArgumentsInClient: ClientPart = {
  included: (client, entity) => {
    const isAsked = hasRead(entity, client.api.project, 'includeArguments')
    if (!isAsked || !hasRelations(client, entity)) return null
    return `IncludeParts<${client.name(entity)}Relations, Include>`
  },
  list: (client, entity) => `ListPart<${client.name(entity)}Query>`,
  hasReadingTypes: (client, entity) => hasRead(entity, client.api.project, 'includeArguments'),
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

import type { Column, Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import type { Write } from '../../plan/written-columns.js'
import { prefixesOf, type Api } from '../openapi/api.js'
import type { OperationView } from './function-view.js'
import type { MemberView } from './type-text.js'

/** The project as its client sees it: what the document tells of it, and the names of the emitted code. */
export interface Client {
  readonly api: Api
  /** The features' parts, by their names. */
  readonly parts: ReadonlyMap<string, ClientPart>
  /** Returns the beginning of a repository's type names. */
  readonly name: (entity: Entity) => string
  /** Its module beside the others, without an ending. */
  readonly module: (entity: Entity) => string
}

/** A feature's part in the client. */
export interface ClientPart {
  /** Returns the options type of changes, from `types.ts`. */
  readonly record?: (client: Client, entity: Entity) => RecordPart | null
  /** Members of `meta` beside the usual flags: `{ version: number }`. */
  readonly meta?: (client: Client, entity: Entity) => string | null
  /** The functions of one of its own routes, in the module of the repository. */
  readonly functions?: (client: Client, route: KnownRoute) => readonly OperationView[]
  /** Returns further ways to read records, and their types. */
  readonly reading?: (client: Client, entity: Entity) => ReadingPart | null
  /** Types of `types.ts` that it names, and their text: there where some repository has its `reading`, or names them otherwise. */
  readonly readingTypes?: Readonly<Record<string, string>>
  readonly hasReadingTypes?: (client: Client, entity: Entity) => boolean
  /** Functions of a route of a repository beside its own. */
  readonly beside?: (client: Client, route: KnownRoute) => readonly OperationView[]
  /** Returns further options of lists. */
  readonly asked?: (client: Client, entity: Entity) => readonly MemberView[]
  /**
   * Options of a single page: only `offset` and `limit`, which functions that read page after page
   * do not take.
   */
  readonly askedOfOnePage?: readonly string[]
  /** A module of its own, with the functions of its routes that are about no one repository. */
  readonly module?: ClientModule
  /** Relations of which the answer to a write may show the records that were written with it. */
  readonly written?: (
    client: Client,
    entity: Entity,
    write: 'store' | 'update',
  ) => readonly string[]
  /**
   * How a column to match by may be compared: a type of `types.ts` that lists take in place of a value. `value` is the type of
   * one.
   */
  readonly compared?: (
    client: Client,
    entity: Entity,
    column: Column,
    value: string,
  ) => string | null
  /** Members of what lists of a repository are matched by, beside its columns. */
  readonly matched?: (client: Client, entity: Entity) => readonly MemberView[]
  /** Returns the type of `include` in place of a list of paths, from `types.ts`. */
  readonly included?: (client: Client, entity: Entity) => string | null
  /** Returns the type of options of included lists; where some repository has `included`. */
  readonly list?: (client: Client, entity: Entity) => string | null
  /** What one record of it may be asked besides: only whether it may be in the trash. */
  readonly askedOfOne?: (client: Client, entity: Entity) => readonly MemberView[]
  /** Records that a body may hold. */
  readonly below?: (client: Client, entity: Entity) => readonly RecordsBelow[]
  /** What requests may have in a header, as an option of the functions that send them. */
  readonly sends?: (client: Client) => readonly SentOption[]
  /** Its own parts of `client.ts` and `types.ts`. */
  readonly templates?: readonly ClientTemplate[]
  /** Only searches are asked in a body: what it takes besides, as an intersection that may be empty; null: not of this repository. */
  readonly searchedWith?: (client: Client, entity: Entity) => string | null
  /** Members of what such a body has as `where`. */
  readonly where?: (client: Client, entity: Entity) => readonly MemberView[]
  /** Returns true if lists of a repository are walked from where a page ended. */
  readonly hasCursors?: (client: Client, entity: Entity) => boolean
  /** Options of lists that are objects, and are sent encoded: only `filters`, as Restify sends them. */
  readonly encodes?: (client: Client) => readonly EncodedOption[]
}

export interface RecordsBelow {
  readonly key: string
  readonly target: Entity
  /** The columns that each of them may name. */
  readonly columns: readonly Column[]
  /** One, and not a list. */
  readonly isOne: boolean
  /** Bodies that hold them; only that of a new record by default. */
  readonly writes?: readonly Write[]
  /** Each names a record that is there by its id, or one by its fields, and says what its pivot row holds. */
  readonly areNamed?: true
}

/** One more type parameter of what reads records: it says what was asked, and so what comes. */
export interface ReadingPart {
  /** `const Field extends keyof PostAttributes = keyof PostAttributes` */
  readonly generic: string
  /** A type added to the query: `FieldsQuery<Field>`. */
  readonly query: string
  /** The type of a record, from what it is without. */
  readonly record: (record: string) => string
}

export interface RecordPart {
  /** The options type of changes, in place of `Options`; `isRequired`: they need it. */
  readonly options: 'ChangeOptions' | 'VersionOptions'
  readonly isRequired: boolean
}

export interface SentOption {
  readonly name: string
  readonly type: 'number' | 'string'
  /** A header, as a member of an object: `'idempotency-key': idempotencyKey`. */
  readonly header: string
  /** The comment of the option; absent: a type of the feature's own has it. */
  readonly remark?: string
  /** A request that was not answered may be sent again with it. */
  readonly repeats?: true
}

/** `inQuery` and `inBody` are expressions, which name a helper among its templates. */
export interface EncodedOption {
  readonly name: string
  readonly inQuery: string
  readonly inBody: string
}

/** A part of `client.ts` or `types.ts`, and where it stands. */
export interface ClientTemplate {
  /** Below `templates/client`, without `.hbs`. */
  readonly path: string
  readonly at: 'requests' | 'walks' | 'helpers' | 'options' | 'types' | 'pages'
  /** Null: it is left out. */
  readonly view: (client: Client) => object | null
}

export interface ClientModule {
  /** In the folder of the client, and with `.hbs` in `templates/client`. */
  readonly path: string
  readonly view: (client: Client, routes: readonly KnownRoute[]) => object | null
}

export const sentOptions = (client: Client): readonly SentOption[] =>
  [...client.parts.values()].flatMap((part) => part.sends?.(client) ?? [])

/** Returns the options of everything that writes. */
export const ofWrites = (client: Client): readonly SentOption[] =>
  sentOptions(client).filter(({ remark }) => remark !== undefined)

export const encodedOptions = (client: Client): readonly EncodedOption[] =>
  [...client.parts.values()].flatMap((part) => part.encodes?.(client) ?? [])

/** What all that writes extends. */
export const baseOfWrites = (client: Client): string =>
  ofWrites(client).length > 0 ? 'WriteOptions' : 'Options'

/** Returns true if some lists are asked in a body. */
export const hasSearches = ({ parts }: Client): boolean =>
  [...parts.values()].some((part) => part.searchedWith !== undefined)

/** Returns the options of a single page, as members that are absent. */
export function withoutOnePage(client: Client): string {
  const names = [...client.parts.values()].flatMap(({ askedOfOnePage = [] }) => askedOfOnePage)
  const members = names.map((name) => `readonly ${name}?: undefined`)
  return members.length === 0 ? '' : ` & { ${members.join('; ')} }`
}

export const hasCursors = (client: Client, entity: Entity): boolean =>
  [...client.parts.values()].some((part) => part.hasCursors?.(client, entity) === true)

/** The last parameter of what writes. */
export const writeOptions = (client: Client): string => `options: ${baseOfWrites(client)} = {}`

/** Returns the further type of `meta` of records; null: none. */
export function metaOf(client: Client, entity: Entity): string | null {
  const said = [...client.parts.values()].flatMap((part) => part.meta?.(client, entity) ?? [])
  return said.length === 0 ? null : said.join(' & ')
}

/** Returns the further type of `include`; null: none. */
export function includedOf(client: Client, entity: Entity): string | null {
  const said = [...client.parts.values()].flatMap((part) => part.included?.(client, entity) ?? [])
  return said.length === 0 ? null : said.join(' | ')
}

export const hasIncluded = (client: Client): boolean =>
  client.api.project.entities.some((entity) => includedOf(client, entity) !== null)

/** Returns the options type of included lists; null: none. */
export function listOf(client: Client, entity: Entity): string | null {
  if (!hasIncluded(client)) return null
  const said = [...client.parts.values()].flatMap((part) => part.list?.(client, entity) ?? [])
  return said.length === 0 ? null : said.join(' & ')
}

/** Returns the comparisons that features add to a column, beside its values. */
export const comparedBy = (
  client: Client,
  entity: Entity,
  column: Column,
  value: string,
): readonly string[] =>
  [...client.parts.values()].flatMap((part) => part.compared?.(client, entity, column, value) ?? [])

/** Collects the features' additions to changes of records. */
export const recordPartOf = (client: Client, entity: Entity): RecordPart | null =>
  [...client.parts.values()].flatMap((part) => part.record?.(client, entity) ?? [])[0] ?? null

export const readingPartsOf = (client: Client, entity: Entity): readonly ReadingPart[] =>
  [...client.parts.values()].flatMap((part) => part.reading?.(client, entity) ?? [])

/** Types of `types.ts` that features name where some repository has them. */
export function readingTypesOf(client: Client): Readonly<Record<string, string>> {
  const { entities } = client.api.project
  const named = [...client.parts.values()].filter(({ reading, hasReadingTypes }) =>
    entities.some(
      (entity) =>
        (reading?.(client, entity) ?? null) !== null || hasReadingTypes?.(client, entity) === true,
    ),
  )
  return Object.assign({}, ...named.map(({ readingTypes }) => readingTypes)) as Readonly<
    Record<string, string>
  >
}

declare module '../../plan/project.js' {
  interface Contribution {
    /** Loaded where a client is written. */
    readonly client?: () => Promise<ClientPart>
  }
}

export async function clientOf(api: Api): Promise<Client> {
  const { entities } = api.project
  const parts = await partsOf(api.project)
  const taken = [...parts.values()].flatMap(({ readingTypes = {} }) => Object.keys(readingTypes))
  const names = prefixesOf(entities, [...exported, ...others, ...taken], typeEndings)
  return {
    api,
    parts,
    name: ({ key, name }) => names.get(key) ?? name,
    module: ({ key }) => (modules.has(key.toLowerCase()) ? `${key}-repository` : key),
  }
}

async function partsOf({ features }: Project): Promise<Client['parts']> {
  const parts = features.map(async ({ name, client }) => [name, await client?.()] as const)
  const said = await Promise.all(parts)
  return new Map(
    said.flatMap(([name, part]) => (part === undefined ? [] : [[name, part] as const])),
  )
}

/** Types of `types.ts` that modules import. */
export const exported = [
  ...['Askables', 'AskablesQuery'],
  ...[
    'ChoiceFilter',
    'Each',
    'Id',
    'ListQuery',
    'Many',
    'One',
    'Options',
    'OrderFilter',
    'Page',
    'Paths',
  ],
  ...[
    'Range',
    'TextFilter',
    'TruthFilter',
    'Resource',
    'ShowQuery',
    'Some',
    'ChangeOptions',
    'VersionOptions',
    'WriteOptions',
  ],
  ...['CursorPage', 'FromCursor'],
] as const

/** Other types that they speak of; and what their functions call the types that callers choose. */
const others = [
  ...['Api', 'Askable', 'Omit', 'Partial', 'Pick', 'Promise', 'Record'],
  ...['Count', 'Field', 'Group', 'Include', 'Select'],
]

/** Endings of a repository's type names; empty: the record itself. */
export const typeEndings = [
  ...['', 'Attributes', 'Include', 'Match', 'Model', 'Patch', 'Query', 'Relations', 'Replace'],
  ...['Sort', 'Store', 'Where'],
] as const

/** Modules that are no repository's. */
const modules = new Set(['auth', 'client', 'own-routes', 'types'])

import { entityNames, isReservedTable, isUriKey } from '../../blueprint/names.js'
import { GIVEN_COLUMNS, RESERVED_KEYS } from '../../manifest/reserved.js'
import { addBridge, isBridge } from './bridges.js'
import type { Catalog, FoundColumn, FoundTable } from './catalog.js'
import { nameProblem, withCost, type RepositoryDraft, type Entry, type LeftAlone } from './draft.js'
import { fieldOf, isKeyKind } from './field-text.js'
import { addLink, linksOf, withoutCircles, type Link } from './links.js'

/** A table that svc serves, as its file of the manifest says it. */
export interface Described {
  readonly key: string
  /** Set where the key in the manifest gives another name in code than it may have. */
  readonly table: string
  readonly keyColumn: string
  readonly id: 'integer' | 'uuid'
  readonly hasTimestamps: boolean
  readonly title: string | null
  readonly searchable: readonly string[]
  readonly fields: readonly Entry[]
  readonly related: readonly Entry[]
  readonly unique: readonly (readonly string[])[]
  readonly imports: ReadonlySet<string>
}

export interface Decision {
  readonly repositories: readonly Described[]
  readonly left: readonly LeftAlone[]
  /** Tables that become relations. */
  readonly pivots: readonly string[]
}

/** What is served of a database, and what is not. */
export function decide(catalog: Catalog): Decision {
  const left: LeftAlone[] = []
  const drafts = new Map<string, RepositoryDraft>()
  const keys = new Set(RESERVED_KEYS.map((each) => each.toLowerCase()))
  const bridges = catalog.tables.filter(isBridge)
  for (const table of catalog.tables) {
    const why = bridges.includes(table) ? null : unservable(table, catalog)
    if (why !== null) left.push({ what: table.name, why })
    else if (!bridges.includes(table)) drafts.set(table.name, newDraft(table, keys))
  }
  const links = withoutCircles([...drafts.values()].flatMap((each) => linksOf(each, drafts)))
  for (const draft of drafts.values()) addFields(draft, links, catalog, left)
  for (const link of links) addLink(link)
  const pivots = bridges
    .filter((each) => addBridge(each, drafts, catalog, left))
    .map(({ name }) => name)
  return { repositories: [...drafts.values()].map(described), left, pivots }
}

function unservable(table: FoundTable, { database }: Catalog): string | null {
  const { primaryKey, columns, name } = table
  if (isReservedTable(name)) return 'svc keeps a table of that name for itself'
  if (table.isWithoutRowid === true) return 'it is WITHOUT ROWID'
  if (primaryKey.length === 0) return 'it has no primary key'
  if (primaryKey.length > 1) return `its primary key is several columns (${primaryKey.join(', ')})`
  if (!isUriKey(entityNames(name).plural.replaceAll(' ', '-')))
    return 'its name cannot stand in a path'
  const key = columns.find((each) => each.name === primaryKey[0])
  if (key === undefined || idOf(key, database) === null) {
    return `its key '${primaryKey[0] ?? ''}' is ${key?.type ?? 'unknown'}, neither an integer of 32 bits nor a uuid`
  }
  return null
}

function idOf(column: FoundColumn, database: Catalog['database']): 'integer' | 'uuid' | null {
  const found = fieldOf({ ...column, default: null, isGenerated: false }, database)
  if ('reason' in found) return null
  if (found.kind === 'integer') return 'integer'
  if (found.kind === 'uuid') return 'uuid'
  return database === 'sqlite' && column.values.areUuids ? 'uuid' : null
}

function newDraft(table: FoundTable, keys: Set<string>): RepositoryDraft {
  const plural = entityNames(table.name).plural.replaceAll(' ', '-')
  const free = [
    plural,
    `${plural}-records`,
    ...Array.from({ length: 99 }, (_, at) => `${plural}-${at + 2}`),
  ]
  const key = free.find((each) => !keys.has(each.toLowerCase())) ?? plural
  keys.add(key.toLowerCase())
  const id = table.columns.find(({ name }) => name === table.primaryKey[0])
  const columns = table.columns.map(({ name }) => name.toLowerCase())
  return {
    table,
    key,
    id: id === undefined || /int|serial/.test(id.type) ? 'integer' : 'uuid',
    hasTimestamps: stamps.every((name) => table.columns.some((each) => isStamp(each, name))),
    fields: [],
    related: [],
    kinds: new Map(),
    imports: new Set(['repository']),
    taken: new Set([...columns, ...GIVEN_COLUMNS]),
  }
}

const stamps = ['created_at', 'updated_at']

/** As every table of svc has them: instants, in every row. */
const isStamp = ({ name, type, nullable, values }: FoundColumn, stampName: string) =>
  name === stampName &&
  /^(timestamp|datetime)/.test(type) &&
  !values.hasNull &&
  values.areInstants &&
  (!nullable || values.rows > 0)

function addFields(
  draft: RepositoryDraft,
  links: readonly Link[],
  { database }: Catalog,
  left: LeftAlone[],
): void {
  const { table } = draft
  const ofDraft = links.filter(({ from }) => from === draft)
  for (const column of table.columns) {
    const { name } = column
    const isKept = draft.hasTimestamps && stamps.includes(name)
    if (name === table.primaryKey[0] || isKept || ofDraft.some((each) => each.column === column))
      continue
    const named = nameProblem(name)
    const decided = named === null ? fieldOf(column, database) : { reason: named }
    if ('reason' in decided) {
      left.push({ what: `${table.name}.${name}`, why: withCost(column, decided.reason) })
      continue
    }
    const { field, kind, note } = decided
    const isAlone = table.unique.some((each) => each.join() === name)
    const unique =
      isAlone && isKeyKind(kind) && !field.includes('.default(') && kind !== 'boolean'
        ? '.unique()'
        : ''
    const points = table.foreign.find((each) => each.columns.includes(name))
    const more =
      note ?? (points === undefined ? undefined : `points at '${points.table}' in the database`)
    draft.fields.push({
      name,
      text: `${field}${unique}`,
      ...(more === undefined ? {} : { note: more }),
    })
    draft.kinds.set(name, kind)
    draft.imports.add(kind)
  }
}

function described(draft: RepositoryDraft): Described {
  const { table, key, id, hasTimestamps, fields, related, kinds, imports } = draft
  const lines = fields.filter(({ name }) => kinds.get(name) === 'text').map(({ name }) => name)
  const usual = ['name', 'title', 'label', 'subject']
  const title = lines.find((each) => usual.includes(each.toLowerCase())) ?? lines[0] ?? null
  const columns = new Set([
    ...fields.filter(({ name }) => isKeyKind(kinds.get(name) ?? 'json')).map(({ name }) => name),
  ])
  return {
    key,
    table: table.name,
    keyColumn: table.primaryKey[0] ?? 'id',
    id,
    hasTimestamps,
    title,
    searchable: lines.slice(0, 3),
    fields,
    related,
    unique: table.unique.filter(
      (each) => each.length > 1 && each.every((name) => columns.has(name)),
    ),
    imports,
  }
}

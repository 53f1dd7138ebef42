import { entityNames, isReservedTable, isUriKey } from '../../blueprint/names.js'
import { GIVEN_COLUMNS, RESERVED_KEYS } from '../../manifest/reserved.js'
import { literal } from '../literal.js'
import { addBridge, isBridge } from './bridges.js'
import type { Catalog, FoundColumn, FoundTable } from './catalog.js'
import { withCost, type RepositoryDraft, type Entry, type LeftAlone } from './draft.js'
import { columnProblem, fieldNames } from './field-names.js'
import { asKey, fieldOf, isKeyKind } from './field-text.js'
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
  /** Names of fields by column. */
  readonly names: ReadonlyMap<string, string>
  /** Columns that are unique together. */
  readonly unique: readonly (readonly string[])[]
  /** Columns that are unique by themselves, and say so. */
  readonly uniqueFields: readonly string[]
  readonly imports: ReadonlySet<string>
}

export interface Decision {
  readonly repositories: readonly Described[]
  readonly left: readonly LeftAlone[]
  /** Tables that become relations. */
  readonly pivots: readonly string[]
  /** By table. */
  readonly said: ReadonlyMap<string, SaidColumns>
}

/** Columns that the manifest says, and those of them that are relations. */
export interface SaidColumns {
  readonly columns: ReadonlySet<string>
  readonly links: ReadonlySet<string>
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
  for (const draft of drafts.values()) {
    nameKey(draft, left)
    addFields(draft, links, catalog, left)
  }
  for (const link of links) addLink(link)
  const joins = bridges.filter((each) => addBridge(each, drafts, catalog, left))
  const said = new Map([
    ...[...drafts.values()].map((each) => [each.table.name, saidOf(each, links)] as const),
    ...joins.map((each) => [each.name, saidOfBridge(each, left)] as const),
  ])
  const repositories = [...drafts.values()].map((each) => described(each, links))
  for (const each of repositories) nameKeys(each, drafts, left)
  return { repositories, left, pivots: joins.map(({ name }) => name), said }
}

function saidOf({ table, fields, hasTimestamps }: RepositoryDraft, links: readonly Link[]) {
  const own = links.filter(({ from }) => from.table === table).map(({ column }) => column.name)
  const names = fields.map(({ name, column = name }) => column)
  const given = [...table.primaryKey, ...(hasTimestamps ? stamps : [])]
  return { columns: new Set([...given, ...names, ...own]), links: new Set(own) }
}

function saidOfBridge(
  { name: table, columns, primaryKey }: FoundTable,
  left: readonly LeftAlone[],
) {
  const isSaid = (name: string) => !left.some(({ what }) => what === `${table}.${name}`)
  const names = columns.map(({ name }) => name).filter(isSaid)
  return { columns: new Set(names), links: new Set(primaryKey) }
}

/** A unique key that the manifest cannot say still holds. */
function nameKeys(
  { table, unique, uniqueFields }: Described,
  drafts: ReadonlyMap<string, RepositoryDraft>,
  left: LeftAlone[],
): void {
  const said = [...unique.map((each) => each.join()), ...uniqueFields]
  const found = drafts.get(table)?.table.unique ?? []
  for (const columns of found) {
    const isLeft = left.some(({ what }) => columns.some((name) => what === `${table}.${name}`))
    if (said.includes(columns.join()) || isLeft) continue
    const why = 'svc has no word for it; the database refuses what is not unique'
    left.push({ what: `${table}: unique (${columns.join(', ')})`, why })
  }
}

function unservable(table: FoundTable, { database, tables }: Catalog): string | null {
  const { primaryKey, columns, name } = table
  if (isReservedTable(name)) return 'svc keeps a table of that name for itself'
  const anew = tables.find((each) => `new_${each.name}`.toLowerCase() === name.toLowerCase())
  if (database === 'sqlite' && anew !== undefined)
    return `under that name '${anew.name}' is built anew when it changes`
  if (table.isWithoutRowid === true) return 'it is WITHOUT ROWID'
  if (primaryKey.length === 0) return 'it has no primary key'
  if (primaryKey.length > 1) return `its primary key is several columns (${primaryKey.join(', ')})`
  if (!isUriKey(entityNames(name).plural.replaceAll(' ', '-')))
    return 'its name cannot stand in a path'
  const key = columns.find((each) => each.name === primaryKey[0])
  if (key === undefined || idOf(key, database) === null) {
    return `its key '${primaryKey[0] ?? ''}' is ${key?.type ?? 'unknown'}, neither an integer of 32 bits nor a uuid`
  }
  if (
    database === 'sqlite' &&
    idOf(key, database) === 'integer' &&
    key.nullable &&
    !table.isCounted
  ) {
    return `its key '${key.name}' may be NULL, and nothing counts it up: SQLite does so for INTEGER PRIMARY KEY alone`
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
  const names = fieldNames(table)
  const columns = [...names].flat().map((name) => name.toLowerCase())
  return {
    table,
    key,
    id: id === undefined || /int|serial/.test(id.type) ? 'integer' : 'uuid',
    hasTimestamps: stamps.every((name) => table.columns.some((each) => isStamp(each, name))),
    names,
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

/** Who makes a row says its key, and the API does not. */
function nameKey({ table, id }: RepositoryDraft, left: LeftAlone[]): void {
  if (id === 'uuid' || table.isCounted) return
  const why = 'nothing in the database counts this key up, so no record can be made over the API'
  left.push({ what: `${table.name}.${table.primaryKey[0] ?? ''}`, why })
}

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
    const named = columnProblem(name)
    const found = named === null ? fieldOf(column, database) : { reason: named }
    const isInKey = table.unique.some((each) => each.includes(name))
    const decided = isInKey ? asKey(found, column) : found
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
    const called = draft.names.get(name) ?? name
    const stored = called === name ? '' : `.column(${literal(name)})`
    draft.fields.push({
      name: called,
      column: name,
      text: `${field}${stored}${unique}`,
      ...(more === undefined ? {} : { note: more }),
    })
    draft.kinds.set(name, kind)
    draft.imports.add(kind)
  }
}

const columnOf = ({ name, column = name }: Entry) => column

function described(draft: RepositoryDraft, links: readonly Link[]): Described {
  const { table, key, id, hasTimestamps, names, fields, related, kinds, imports } = draft
  const kindOf = ({ name, column = name }: Entry) => kinds.get(column)
  const isAlone = (name: string) => table.unique.some((each) => each.join() === name)
  const lines = fields.filter((each) => kindOf(each) === 'text').map(({ name }) => name)
  const usual = ['name', 'title', 'label', 'subject']
  const title = lines.find((each) => usual.includes(each.toLowerCase())) ?? lines[0] ?? null
  const columns = new Set([
    ...fields.filter((each) => isKeyKind(kindOf(each) ?? 'json')).map(columnOf),
    ...links.filter(({ from }) => from === draft).map(({ column }) => column.name),
  ])
  const uniqueFields = [
    ...fields.filter(({ text }) => text.endsWith('.unique()')).map(columnOf),
    ...links
      .filter(({ from, column }) => from === draft && isAlone(column.name))
      .map(({ column }) => column.name),
  ]
  const isAloneIn = (names: readonly string[]) => names.some((name) => uniqueFields.includes(name))
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
    names,
    unique: table.unique.filter(
      (each) => each.length > 1 && each.every((name) => columns.has(name)) && !isAloneIn(each),
    ),
    uniqueFields,
    imports,
  }
}

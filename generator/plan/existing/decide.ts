import { entityNames, isReservedTable, isUriKey } from '../../blueprint/names/names.js'
import { kindOf } from '../../kinds/kinds.js'
import { GIVEN_COLUMNS, RESERVED_KEYS } from '../../manifest/reserved.js'
import { literal } from '../../source/literal.js'
import type { ExistingWords, PlannedFeature } from '../feature.js'
import { addBridge, isBridge } from './bridges.js'
import type { Catalog, FoundColumn, FoundTable } from './catalog.js'
import { withCost, type RepositoryDraft, type Entry, type LeftAlone } from './draft.js'
import { columnProblem, fieldNames } from './field-names.js'
import { asKey, fieldOf, isKeyKind } from './field-text.js'
import { type FoundKey, keyOf, type NoKey } from './keys.js'
import { addLink, linksOf, withoutCircles, type Link } from './links.js'

/** A table that svc serves, as its file of the manifest says it. */
export interface Described {
  readonly key: string
  /** Set where the key in the manifest gives another name in code than it may have. */
  readonly table: string
  readonly keyColumn: string
  readonly id: FoundKey
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
  /** The features' options for it. */
  readonly words: readonly ExistingWords[]
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

/** Decides which parts of a database are served. */
export function decide(catalog: Catalog, features: readonly PlannedFeature[]): Decision {
  const left: LeftAlone[] = []
  const drafts = new Map<string, RepositoryDraft>()
  const keys = new Set(RESERVED_KEYS.map((each) => each.toLowerCase()))
  const bridges = catalog.tables.filter(isBridge)
  for (const table of catalog.tables) {
    if (bridges.includes(table)) continue
    const key = servedBy(table, catalog)
    if ('reason' in key) left.push({ what: table.name, why: key.reason })
    else drafts.set(table.name, newDraft(table, key, keys))
  }
  const links = withoutCircles([...drafts.values()].flatMap((each) => linksOf(each, drafts)))
  for (const draft of drafts.values()) {
    addFields(draft, links, catalog, left)
  }
  for (const link of links) addLink(link)
  const joins = bridges.filter((each) => addBridge(each, drafts, catalog, left))
  const said = new Map([
    ...[...drafts.values()].map((each) => [each.table.name, saidOf(each, links)] as const),
    ...joins.map((each) => [each.name, saidOfBridge(each, left)] as const),
  ])
  const repositories = [...drafts.values()].map((each) => described(each, links, features))
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

/** The key by which its records are served, or why they are not. */
function servedBy(table: FoundTable, { database, tables }: Catalog): FoundKey | NoKey {
  const why = unservable(table, { database, tables })
  const column = table.columns.find(({ name }) => name === table.primaryKey[0])
  return why === null ? keyOf(table, column, database) : { reason: why }
}

function unservable(
  table: FoundTable,
  { database, tables }: Pick<Catalog, 'database' | 'tables'>,
): string | null {
  const { primaryKey, name } = table
  if (isReservedTable(name)) return 'svc keeps a table of that name for itself'
  const anew = tables.find((each) => `new_${each.name}`.toLowerCase() === name.toLowerCase())
  if (database === 'sqlite' && anew !== undefined)
    return `SQLite needs that name to rebuild '${anew.name}'`
  if (table.isWithoutRowid === true) return 'it is WITHOUT ROWID'
  if (primaryKey.length === 0) return 'it has no primary key'
  if (primaryKey.length > 1) return `its primary key is several columns (${primaryKey.join(', ')})`
  if (!isUriKey(entityNames(name).plural.replaceAll(' ', '-')))
    return 'its name cannot be part of a path'
  return null
}

function newDraft(table: FoundTable, found: FoundKey, keys: Set<string>): RepositoryDraft {
  const plural = entityNames(table.name).plural.replaceAll(' ', '-')
  const free = [
    plural,
    `${plural}-records`,
    ...Array.from({ length: 99 }, (_, at) => `${plural}-${at + 2}`),
  ]
  const key = free.find((each) => !keys.has(each.toLowerCase())) ?? plural
  keys.add(key.toLowerCase())
  const names = fieldNames(table)
  const columns = [...names].flat().map((name) => name.toLowerCase())
  return {
    table,
    key,
    id: found,
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
      isAlone && isKeyKind(kind) && !field.includes('.default(') && !kindOf(kind).isSwitch
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

const withoutKey = (field: Entry): Entry => ({
  ...field,
  text: field.text.replace(/\.unique\(\)$/, ''),
})

const columnOf = ({ name, column = name }: Entry) => column

const usualTitles = new Set(['name', 'title', 'label', 'subject'])

/** Characters of a text that people read as one line. */
const longestLine = 255

function described(
  draft: RepositoryDraft,
  links: readonly Link[],
  features: readonly PlannedFeature[],
): Described {
  const { table, key, id, hasTimestamps, names, related, kinds, imports } = draft
  const isAlone = (name: string) => table.unique.some((each) => each.join() === name)
  const own = links.filter(({ from }) => from === draft)
  const said = features.flatMap(({ ofExisting }) => ofExisting?.(draft.fields) ?? [])
  const words = said.filter(
    // A record that points at no other twice needs its key, of all rows.
    ({ leavesKeys }) => leavesKeys !== true || !own.some(({ column }) => isAlone(column.name)),
  )
  const leavesKeys = words.some((each) => each.leavesKeys)
  const fields = leavesKeys ? draft.fields.map(withoutKey) : draft.fields
  const kindOf = ({ name, column = name }: Entry) => kinds.get(column)
  const lengths = new Map(table.columns.map(({ name, values }) => [name, values.longest ?? 0]))
  const isLine = (each: Entry) =>
    kindOf(each) === 'text' || (lengths.get(columnOf(each)) ?? 0) <= longestLine
  // PostgreSQL's `text` has no length, and most titles are one.
  const texts = fields
    .filter((each) => kindOf(each) === 'text' || kindOf(each) === 'textarea')
    .toSorted((one, other) => Number(isLine(other)) - Number(isLine(one)))
  const titles = texts.filter(isLine).map(({ name }) => name)
  const title = titles.find((each) => usualTitles.has(each.toLowerCase())) ?? titles[0] ?? null
  const searched = texts.map(({ name }) => name).filter((each) => each !== title)
  const columns = new Set([
    ...fields.filter((each) => isKeyKind(kindOf(each) ?? 'json')).map(columnOf),
    ...own.map(({ column }) => column.name),
  ])
  const uniqueFields = [
    ...fields.filter(({ text }) => text.endsWith('.unique()')).map(columnOf),
    ...own.filter(({ column }) => isAlone(column.name)).map(({ column }) => column.name),
  ]
  const isAloneIn = (names: readonly string[]) => names.some((name) => uniqueFields.includes(name))
  return {
    key,
    table: table.name,
    keyColumn: table.primaryKey[0] ?? 'id',
    id,
    hasTimestamps,
    title,
    searchable: [...(title === null ? [] : [title]), ...searched].slice(0, 3),
    fields,
    related,
    names,
    unique: table.unique.filter(
      (each) =>
        !leavesKeys &&
        each.length > 1 &&
        each.every((name) => columns.has(name)) &&
        !isAloneIn(each),
    ),
    uniqueFields,
    words,
    imports,
  }
}

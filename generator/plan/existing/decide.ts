import {
  entityNames,
  isIdentifier,
  isReservedTable,
  isUriKey,
  singularOf,
  snakeCase,
} from '../../blueprint/names.js'
import { GIVEN_COLUMNS, RESERVED_FIELDS, RESERVED_KEYS } from '../../manifest/reserved.js'
import type { Catalog, FoundColumn, FoundForeignKey, FoundTable } from './catalog.js'
import { fieldOf, isKeyKind, type Kind } from './field-text.js'

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

export interface Entry {
  readonly name: string
  readonly text: string
  readonly note?: string
}

/** Something that stays as it is, in the database alone. */
export interface LeftAlone {
  readonly what: string
  readonly why: string
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
  const drafts = new Map<string, Draft>()
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

interface Draft {
  readonly table: FoundTable
  readonly key: string
  readonly id: 'integer' | 'uuid'
  readonly hasTimestamps: boolean
  readonly fields: Entry[]
  readonly related: Entry[]
  readonly kinds: Map<string, Kind>
  readonly imports: Set<string>
  /** What relations cannot be called any more, in lower case. */
  readonly taken: Set<string>
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

function newDraft(table: FoundTable, keys: Set<string>): Draft {
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
const isStamp = ({ name, type, nullable, values }: FoundColumn, wanted: string) =>
  name === wanted &&
  /^(timestamp|datetime)/.test(type) &&
  !values.hasNull &&
  values.areInstants &&
  (!nullable || values.rows > 0)

interface Link {
  readonly from: Draft
  readonly to: Draft
  readonly foreign: FoundForeignKey
  readonly column: FoundColumn
}

/** Foreign keys of one column that point at the key of a table that is served. */
function linksOf(from: Draft, drafts: ReadonlyMap<string, Draft>): readonly Link[] {
  return from.table.foreign.flatMap((foreign) => {
    const to = drafts.get(foreign.table)
    const [name = ''] = foreign.columns
    const column = from.table.columns.find((each) => each.name === name)
    const target = foreign.to[0] ?? to?.table.primaryKey[0]
    const isPlain =
      foreign.columns.length === 1 && target === to?.table.primaryKey[0] && isIdentifier(name)
    const isOwnKey = from.table.primaryKey.includes(name)
    return to === undefined || column === undefined || !isPlain || isOwnKey
      ? []
      : [{ from, to, foreign, column }]
  })
}

/** Required relations in a circle have no first record: the last one of each is left a number. */
function withoutCircles(links: readonly Link[]): readonly Link[] {
  const kept: Link[] = []
  const leads = (from: Draft, to: Draft, seen = new Set<Draft>()): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return kept.some(
      (each) => !each.column.nullable && each.from === from && leads(each.to, to, seen),
    )
  }
  for (const link of links) {
    if (link.column.nullable || !leads(link.to, link.from)) kept.push(link)
  }
  return kept
}

function addFields(
  draft: Draft,
  links: readonly Link[],
  { database }: Catalog,
  left: LeftAlone[],
): void {
  const { table } = draft
  const own = links.filter(({ from }) => from === draft)
  for (const column of table.columns) {
    const { name } = column
    const isKept = draft.hasTimestamps && stamps.includes(name)
    if (name === table.primaryKey[0] || isKept || own.some((each) => each.column === column))
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

/** A record cannot be stored without what the database asks for. */
const withCost = ({ nullable, default: value, isGenerated }: FoundColumn, why: string) =>
  nullable || isGenerated || value !== null
    ? why
    : `${why}; it is required, so no record can be made over the API`

function nameProblem(name: string): string | null {
  const folded = name.toLowerCase()
  if (!isIdentifier(name)) return 'its name cannot be a field'
  const isTaken = [...GIVEN_COLUMNS, ...RESERVED_FIELDS].some((each) => each === folded)
  return isTaken ? `svc means something else by '${folded}'` : null
}

function addLink({ from, to, foreign, column }: Link): void {
  const stem = stemOf(column.name, to)
  const name = freeName(from, [stem, `${stem}_${singularOf(to.key)}`])
  const usual = column.nullable ? 'setNull' : 'restrict'
  const { onDelete } = foreign
  const options = [
    `foreignKey: '${column.name}'`,
    ...(onDelete === 'other' || onDelete === usual ? [] : [`onDelete: '${onDelete}'`]),
  ]
  const text = `belongsTo('${to.key}', { ${options.join(', ')} })${column.nullable ? '.nullable()' : ''}`
  from.related.push({ name, text })
  from.imports.add('belongsTo')
  const isOne = from.table.unique.some((each) => each.join() === column.name)
  const back = isOne ? snakeCase(singularOf(from.key)) : snakeCase(from.key)
  const many = freeName(to, [back, `${back}_by_${stem}`])
  const kind = isOne ? 'hasOne' : 'hasMany'
  to.related.push({ name: many, text: `${kind}('${from.key}', { foreignKey: '${column.name}' })` })
  to.imports.add(kind)
}

/** `ArtistId`, `artist_id` → `artist`; `ReportsTo` stays what it is. */
function stemOf(column: string, to: Draft): string {
  const stem = snakeCase(column.replace(/_?id$/i, ''))
  return stem === '' ? snakeCase(singularOf(to.key)) : stem
}

function freeName({ taken }: Draft, wanted: readonly string[]): string {
  const last = wanted.at(-1) ?? 'related'
  const numbered = Array.from({ length: 99 }, (_, at) => `${last}_${at + 2}`)
  const name = [...wanted, ...numbered].find((each) => !taken.has(each.toLowerCase())) ?? last
  taken.add(name.toLowerCase())
  return name
}

/** Two columns that are the key of a table and each point elsewhere: a row says that two records belong together. */
const isBridge = ({ primaryKey, foreign, isWithoutRowid }: FoundTable) =>
  primaryKey.length === 2 &&
  isWithoutRowid !== true &&
  primaryKey.every((name) => foreign.some((each) => each.columns.join() === name))

/** False: it is left alone, and why was noted. */
function addBridge(
  bridge: FoundTable,
  drafts: ReadonlyMap<string, Draft>,
  { database }: Catalog,
  left: LeftAlone[],
): boolean {
  const ends = bridge.primaryKey.map((name) => {
    const foreign = bridge.foreign.find((each) => each.columns.join() === name)
    return { name, draft: drafts.get(foreign?.table ?? '') }
  })
  const [one, other] = ends
  const why =
    one?.draft === undefined || other?.draft === undefined
      ? 'its primary key is several columns, and one points at a table that is not served'
      : one.draft === other.draft
        ? 'it joins a table to itself'
        : null
  if (why !== null || one?.draft === undefined || other?.draft === undefined) {
    left.push({ what: bridge.name, why: why ?? '' })
    return false
  }
  const rest = bridge.columns.filter(({ name }) => !bridge.primaryKey.includes(name))
  const fields: string[] = []
  const kinds: Kind[] = []
  for (const column of rest) {
    const named = nameProblem(column.name)
    const found = named === null ? fieldOf(column, database) : { reason: named }
    const why =
      'reason' in found
        ? found.reason
        : column.enumType !== undefined
          ? 'it is an enum type'
          : isFilled(found.field)
            ? 'the database fills it'
            : null
    if (why !== null || 'reason' in found) {
      left.push({ what: `${bridge.name}.${column.name}`, why: withCost(column, why ?? '') })
      continue
    }
    fields.push(`${column.name}: ${found.field}`)
    kinds.push(found.kind)
  }
  const pivot = fields.length === 0 ? '' : `, pivot: { ${fields.join(', ')} }`
  for (const [own, far] of [
    [one, other],
    [other, one],
  ] as const) {
    const { draft } = own
    const target = far.draft
    if (draft === undefined || target === undefined) continue
    const stem = snakeCase(target.key)
    const name = freeName(draft, [stem, `${stem}_by_${snakeCase(bridge.name)}`])
    const isFirst = own === one
    const text = `belongsToMany('${target.key}', { table: '${bridge.name}', foreignKey: '${own.name}', relatedKey: '${far.name}'${isFirst ? pivot : ''} })`
    draft.related.push({ name, text })
    draft.imports.add('belongsToMany')
    if (isFirst) for (const kind of kinds) draft.imports.add(kind)
  }
  return true
}

const isFilled = (field: string) => field.includes('.generated()')

function described(draft: Draft): Described {
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

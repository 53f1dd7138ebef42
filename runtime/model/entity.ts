import type { Database, Dialect } from '../database/types.js'
import { type Column, columnOf } from './columns.js'
import type { Definition } from './definition.js'
import { own } from './own.js'
import { createPlanCache, type PlanCache } from '../sql/statement-cache.js'
import type {
  Computed,
  Member,
  Relation,
  RelationEntry,
  Target,
} from '../features/relations/relations.js'

/** A definition with everything looked up that requests would look up again and again. */
export interface Entity {
  readonly definition: Definition
  readonly database: Database
  readonly dialect: Dialect
  readonly key: string
  readonly table: string
  readonly id: Column
  readonly columns: ReadonlyMap<string, Column>
  /** Stored relations by key. */
  readonly links: ReadonlyMap<string, Link>
  /** Every entry clients may ask for. */
  readonly entries: ReadonlyMap<string, Entry>
  /**
   * Columns that hold another record's id (text in JSON), and its repository; null for the id of a
   * morph.
   */
  readonly foreign: ReadonlyMap<string, Target | null>
  readonly plans: PlanCache
}

/** A stored relation of one entity. */
export interface Link {
  readonly key: string
  readonly source: Entity
  readonly relation: Relation
  readonly toOne: boolean
  /** Columns of the table between, declared fields only. */
  readonly pivot: ReadonlyMap<string, Column>
  /** Those of them that are shown. */
  readonly shownPivot: readonly Column[]
}

export type Entry = Link | { readonly key: string; readonly relation: Computed | Member }

const entities = new WeakMap<Definition, Entity>()

/** The entity of a definition, made at first use: repositories refer to each other in circles. */
export function entityOf(definition: Definition): Entity {
  const known = entities.get(definition)
  if (known !== undefined) return known
  const entity = createEntity(definition)
  entities.set(definition, entity)
  return entity
}

/** The entity a relation points at. */
export function targetOf(link: Link): Entity {
  return entityOf(link.relation.target().definition)
}

/** A column that must exist: repositories are generated from a checked blueprint. */
export function columnNamed(entity: Entity, name: string): Column {
  const column = entity.columns.get(name)
  if (column === undefined) throw new TypeError(`'${entity.key}' has no column '${name}'`)
  return column
}

export function isLink(entry: Entry): entry is Link {
  return entry.relation.kind !== 'computed' && entry.relation.kind !== 'member'
}

function createEntity(definition: Definition): Entity {
  const { database, key, table } = definition
  const columns = columnsOf(definition)
  const id = columns.get('id')
  if (id === undefined) throw new TypeError(`'${key}' has no column 'id'`)
  const links = new Map<string, Link>()
  const entries = new Map<string, Entry>()
  const entity: Entity = {
    definition,
    database,
    dialect: database.dialect,
    key,
    table,
    id,
    columns,
    links,
    entries,
    foreign: foreignColumns(definition),
    plans: createPlanCache(),
  }
  for (const [name, relation] of Object.entries(definition.relations)) {
    const entry = entryOf(entity, name, relation)
    entries.set(name, entry)
    if (isLink(entry)) links.set(name, entry)
  }
  return entity
}

function columnsOf(definition: Definition): ReadonlyMap<string, Column> {
  const columns = Object.entries(definition.columns)
  return new Map(
    columns.map(([name, kind]) => {
      const folded = own(definition.folded ?? {}, name) ?? null
      return [name, columnOf(name, kind, definition.database, folded)]
    }),
  )
}

function entryOf(source: Entity, key: string, relation: RelationEntry): Entry {
  if (relation.kind === 'computed' || relation.kind === 'member') return { key, relation }
  const toOne = ['belongsTo', 'hasOne', 'morphOne'].includes(relation.kind)
  const declared = 'pivot' in relation ? Object.entries(relation.pivot.columns) : []
  const pivot = new Map(
    declared.map(([name, kind]) => [name, columnOf(name, kind, source.database)]),
  )
  const hidden = new Set('pivot' in relation ? relation.pivot.hidden : [])
  const shownPivot = [...pivot.values()].filter(({ name }) => !hidden.has(name))
  return { key, source, relation, toOne, pivot, shownPivot }
}

function foreignColumns(definition: Definition): ReadonlyMap<string, Target | null> {
  const foreign = new Map<string, Target | null>()
  for (const [column, target] of Object.entries(definition.references ?? {})) {
    foreign.set(column, target ?? null)
  }
  for (const relation of Object.values(definition.relations)) {
    if (relation.kind === 'belongsTo') foreign.set(relation.foreignKey, relation.target)
  }
  return foreign
}

import { LONGEST_INDEXED } from '../../kinds/index-length.js'
import { type KeyKind, kindOf, storedAs } from '../../kinds/kinds.js'
import type { IdOptions } from '../../manifest/id.js'
import type { Catalog, FoundColumn, FoundTable } from './catalog.js'
import { fieldOf } from './field-text.js'

/** The key of a table, as `id` of its repository says it. */
export interface FoundKey extends Pick<IdOptions, 'given' | 'max'> {
  readonly kind: KeyKind
}

export interface NoKey {
  readonly reason: string
}

/** Returns the key of a table's records, or why there is none. */
export function keyOf(
  table: FoundTable,
  column: FoundColumn | undefined,
  database: Catalog['database'],
): FoundKey | NoKey {
  const [name = ''] = table.primaryKey
  const kind = column === undefined ? null : kindOfKey(column, database)
  if (column === undefined || kind === null) {
    const reason = `its key '${name}' is ${column?.type ?? 'unknown'}, neither a whole number, a uuid nor a text`
    return { reason }
  }
  const isOpen = database === 'sqlite' && column.nullable && !table.isCounted
  if (isOpen && storedAs({ kind }).key?.makes === null) {
    const reason = `its key '${name}' may be NULL, and nothing counts it up: SQLite does so for INTEGER PRIMARY KEY alone`
    return { reason }
  }
  if (column.values.hasNull) return { reason: `its key '${name}' is NULL in some row` }
  return { kind, ...givenOf(table, column, kind) }
}

function kindOfKey(column: FoundColumn, database: Catalog['database']): KeyKind | null {
  const found = fieldOf({ ...column, default: null, isGenerated: false }, database)
  if ('reason' in found) return null
  const { kind } = found
  if (kind === 'integer' || kind === 'bigInteger' || kind === 'uuid') return kind
  if (database === 'sqlite' && column.values.areUuids) return 'uuid'
  return kindOf(kind).group === 'text' && found.note === undefined ? 'text' : null
}

/** Characters of a ULID, which the server makes. */
const ulid = 26

/** A client that creates a record names its id where nothing else makes one. */
function givenOf(
  { isCounted }: FoundTable,
  { type, values }: FoundColumn,
  kind: KeyKind,
): Pick<IdOptions, 'given' | 'max'> {
  if (kind === 'uuid') return {}
  if (kind !== 'text') return isCounted ? {} : { given: 'must' }
  const size = Number(/\((\d+)\)/.exec(type)?.[1] ?? Math.max(64, values.longest ?? 0))
  const max = Math.min(size, LONGEST_INDEXED)
  return { given: max < ulid ? 'must' : 'may', ...(max === 64 ? {} : { max }) }
}

/** `'bigint'`, `{ kind: 'text', given: 'may', max: 191 }`; null: as every manifest has it. */
export function idText({ kind, given, max }: FoundKey): string | null {
  const word = `'${kindOf(kind).key?.word}'`
  if (given === undefined) return kind === 'integer' ? null : word
  return `{ kind: ${word}, given: '${given}'${max === undefined ? '' : `, max: ${max}`} }`
}

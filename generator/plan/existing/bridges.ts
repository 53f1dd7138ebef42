import { isIdentifier, isPivotTable, snakeCase } from '../../blueprint/names/names.js'
import type { Database } from '../../blueprint/types.js'
import type { FieldKind } from '../../kinds/kinds.js'
import type { Catalog, FoundColumn, FoundTable } from './catalog.js'
import { freeName, withCost, type RepositoryDraft, type LeftAlone } from './draft.js'
import { nameProblem } from './field-names.js'
import { fieldOf } from './field-text.js'

/** Two columns that are the key of a table and each point elsewhere: a row says that two records belong together. */
export const isBridge = ({ primaryKey, foreign, isWithoutRowid }: FoundTable) =>
  primaryKey.length === 2 &&
  isWithoutRowid !== true &&
  primaryKey.every((name) => foreign.some((each) => each.columns.join() === name))

/** False: it is left alone, and why was noted. */
export function addBridge(
  bridge: FoundTable,
  drafts: ReadonlyMap<string, RepositoryDraft>,
  { database }: Catalog,
  left: LeftAlone[],
): boolean {
  const [one, other] = bridge.primaryKey.map((name) => {
    const foreign = bridge.foreign.find((each) => each.columns.join() === name)
    return { name, draft: drafts.get(foreign?.table ?? '') }
  })
  if (!isServed(one) || !isServed(other)) {
    const why = 'its primary key is several columns, and one points at a table that is not served'
    left.push({ what: bridge.name, why })
    return false
  }
  const why = bridgeProblem(bridge, one, other)
  if (why !== null) {
    left.push({ what: bridge.name, why })
    return false
  }
  const { fields, kinds } = fieldsOf(bridge, database, left)
  const pivot = fields.length === 0 ? '' : `, pivot: { ${fields.join(', ')} }`
  relate(bridge, one, other, pivot)
  relate(bridge, other, one, '')
  for (const kind of kinds) one.draft.imports.add(kind)
  return true
}

/** A key of the bridge, and the repository of the table that it points at. */
interface End {
  readonly name: string
  readonly draft: RepositoryDraft
}

const isServed = (
  end: { readonly name: string; readonly draft: RepositoryDraft | undefined } | undefined,
): end is End => end?.draft !== undefined

function bridgeProblem({ name, primaryKey }: FoundTable, one: End, other: End): string | null {
  if (one.draft === other.draft) return 'it joins a table to itself'
  if (!isPivotTable(name)) return 'its name cannot be written'
  return primaryKey.every(isIdentifier) ? null : 'the names of its keys cannot be fields'
}

/** Reads the other columns of a row: each is a field of the pivot, or left alone. */
function fieldsOf(bridge: FoundTable, database: Database, left: LeftAlone[]) {
  const fields: string[] = []
  const kinds: FieldKind[] = []
  for (const column of bridge.columns) {
    if (bridge.primaryKey.includes(column.name)) continue
    const found = pivotField(column, database)
    if ('reason' in found) {
      const what = `${bridge.name}.${column.name}`
      left.push({ what, why: withCost(column, found.reason) })
    } else {
      fields.push(`${column.name}: ${found.field}`)
      kinds.push(found.kind)
    }
  }
  return { fields, kinds }
}

function pivotField(column: FoundColumn, database: Database): ReturnType<typeof fieldOf> {
  const problem = nameProblem(column.name)
  if (problem !== null) return { reason: problem }
  const found = fieldOf(column, database)
  if ('reason' in found) return found
  if (column.enumType !== undefined) return { reason: 'it is an enum type' }
  return isFilled(found.field) ? { reason: 'the database fills it' } : found
}

/** The relation of one end to the other. */
function relate({ name: table }: FoundTable, own: End, far: End, pivot: string): void {
  const { draft } = own
  const stem = snakeCase(far.draft.key)
  const name = freeName(draft, [stem, `${stem}_by_${snakeCase(table.replaceAll(/ +/g, '_'))}`])
  const text = `belongsToMany('${far.draft.key}', { table: '${table}', foreignKey: '${own.name}', relatedKey: '${far.name}'${pivot} })`
  draft.related.push({ name, text })
  draft.imports.add('belongsToMany')
}

const isFilled = (field: string) => field.includes('.generated()')

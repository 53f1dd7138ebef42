import { storedName } from '../../blueprint/names/names.js'
import type { Column } from '../../blueprint/types.js'
import { kindOf, storedAs } from '../../kinds/kinds.js'
import { literal, property } from '../../source/literal.js'
import type { Project } from '../project.js'

/** Kysely's view of the database. */
export interface TablesView {
  /** `Table` of the runtime, called otherwise where a row type has that name. */
  readonly tableImport: string
  readonly tables: readonly { readonly property: string; readonly type: string }[]
}

export function tablesView({ entities, blueprint }: Project): TablesView {
  const all = [
    ...entities,
    ...blueprint.pivots.map((pivot) => ({ ...pivot, columns: pivot.fields })),
  ]
  // Restaurants have tables.
  const isTaken = all.some(({ name }) => name === 'Table')
  const generic = isTaken ? 'KyselyTable' : 'Table'
  return {
    tableImport: isTaken ? `Table as ${generic}` : generic,
    tables: all.map((table) => tableView(generic, table)),
  }
}

interface TableParts {
  readonly table: string
  readonly name: string
  readonly columns: readonly Column[]
}

/** `Table<Post, 'id', 'published_at'>`: what an insert may leave out, and what may be written as a `Date`. */
function tableView(generic: string, { table, name, columns }: TableParts) {
  const others = columns.filter(({ stored }) => stored !== undefined)
  const members = others.map(
    (each) => `${property(storedName(each))}: ${name}[${literal(each.name)}]`,
  )
  const row =
    members.length === 0 ? name : `Omit<${name}, ${namesIn(others)}> & { ${members.join('; ')} }`
  const stored = columns.map((each) => ({ ...each, name: storedName(each) }))
  const made = namesIn(stored.filter(isMade))
  const dates = namesIn(stored.filter(({ kind }) => kindOf(kind).isDate))
  const second = made === '' && dates !== '' ? 'never' : made
  const type = `${generic}<${[row, second, dates].filter((part) => part !== '').join(', ')}>`
  return { property: property(table), type }
}

/** Columns the database fills when an insert leaves them out; uuids and texts are made by the caller. */
const isMade = (column: Column) =>
  column.default !== undefined ||
  column.generated === true ||
  (column.role === 'id' && column.given !== 'must' && storedAs(column).key?.makes === null)

/** A union of names. */
export const namesIn = (columns: readonly Column[]) =>
  columns.map(({ name }) => literal(name)).join(' | ')

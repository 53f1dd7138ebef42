import { createHash } from 'node:crypto'
import { storedName } from '../../blueprint/names/names.js'
import { fieldName, freeName } from './names.js'
import type { Index, Table } from './tables.js'

/** PostgreSQL cuts longer names; SQLite does not mind. */
const longestName = 63

const suffixes = { id: '_pkey', unique: '_key', index: '_idx' } as const

/** The attribute of each index of a table, among all tables, in a model with these fields. */
export function indexAttributes(tables: readonly Table[]) {
  const taken = new Map<string, number>()
  for (const name of tables.flatMap(usualNames)) taken.set(name, (taken.get(name) ?? 0) + 1)
  return (table: Table, fields: readonly string[]): readonly string[] => {
    const members = new Set(fields)
    return table.indexes.map((index) => {
      const usual = usualName(table, index)
      const isFree = usual.length <= longestName && taken.get(cut(usual, index.kind)) === 1
      const map = index.isDeclared === true && !isFree ? [preciseName(table.name, index)] : []
      const name = index.kind === 'unique' ? clientName(index, members) : []
      return attribute(index, [...name, ...map.map((each) => `map: "${each}"`)])
    })
  }
}

function attribute({ kind, columns, isDescending }: Index, more: readonly string[]): string {
  const sort = isDescending === true ? '(sort: Desc)' : ''
  const names = columns.map((name) => `${fieldName(name)}${sort}`)
  return `@@${kind}(${[`[${names.join(', ')}]`, ...more].join(', ')})`
}

/** Lists the default names of everything that has one in Prisma and the database. */
const usualNames = (table: Table): readonly string[] => [
  table.name,
  ...table.columns
    .filter(({ unique }) => unique)
    .map(({ name }) => cut(usualName(table, { kind: 'unique', columns: [name] }), 'unique')),
  ...table.indexes.map((index) => cut(usualName(table, index), index.kind)),
]

/** Returns the default name in the database. */
const usualName = (table: Table, { kind, columns }: Index) => {
  const names = columns.map((name) => {
    const column = table.columns.find((each) => each.name === name)
    return column === undefined ? name : storedName(column)
  })
  return `${kind === 'id' ? table.name : [table.name, ...names].join('_')}${suffixes[kind]}`
}

const cut = (name: string, kind: Index['kind']) =>
  name.length <= longestName
    ? name
    : `${name.slice(0, longestName - suffixes[kind].length)}${suffixes[kind]}`

/** `products_company_id_sku_1f2e3d4c_key`: the same each time, whatever else is there. */
function preciseName(table: string, { kind, columns }: Index): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([table, columns]))
    .digest('hex')
  const end = `_${hash.slice(0, 8)}${suffixes[kind]}`
  return `${[table, ...columns].join('_').slice(0, longestName - end.length)}${end}`
}

/** Prisma's client finds a record by `company_id_sku`, unless a relation or another index is called that. */
function clientName({ columns }: Index, members: Set<string>): readonly string[] {
  const usual = columns.map(fieldName).join('_')
  const name = freeName(members, [usual, `${usual}_together`])
  members.add(name)
  return name === usual ? [] : [`name: "${name}"`]
}

import type { LeftAlone } from '../diff/left-alone.js'
import { readFields, readNames } from '../schema/datamodel.js'
import type { SchemaFile } from '../schema/schema-file.js'
import type { SqlObject } from '../sql/sql-objects.js'
import { splitOutside } from '../sql/sql-tables.js'
import { withoutLastNumber } from './built-anew.js'
import {
  carriedChecks,
  carriedItem,
  givesIdsAgain,
  type CarriedColumns,
  type TableChange,
} from './carried-columns.js'
import { carriedObjects, withRealNames } from './carried-objects.js'
import { lostClauses } from './declared-keys.js'
import type { Declared } from './declared.js'

/** The two ends of a step, by the names of afterwards. */
export interface Carrying {
  readonly from: SchemaFile
  readonly to: readonly SchemaFile[]
  readonly left: readonly LeftAlone[]
  /** As the migrations so far made it. */
  readonly declared: Declared
  /** As the schema from before would have it made. */
  readonly made: Declared
  /** Objects of the schema from before. */
  readonly objects: readonly SqlObject[]
}

export interface Carried {
  readonly sql: string
  /** Objects that are lost, a sentence each. */
  readonly leaves: readonly string[]
}

/** A table that SQLite rebuilds, as Prisma's engine writes it. */
const rebuilt =
  /CREATE TABLE "new_([^"]+)" \(\n([^]*?)\n\);\n((?:[^]*?;\n)??)INSERT INTO "new_\1" \((.*?)\) SELECT ([^]*?) FROM "\1";\n([^]*?ALTER TABLE "new_\1" RENAME TO "\1";\n(?:PRAGMA .*;\n)?)/g

/**
 * SQLite builds a table anew by what the schema says of it. What the database has beside that is carried over: columns with
 * their values, types as they were declared, collations, unique keys, indexes and triggers with their names; checks and
 * foreign keys as long as each column that they name is there.
 */
export function carried(sql: string, carrying: Carrying): Carried {
  const { from, to, left, declared, made, objects } = carrying
  const text = to.map(({ content }) => content).join('\n')
  const [before, after] = [readNames(from.content), readNames(text)]
  const [fieldsBefore, fieldsAfter] = [readFields(from.content), readFields(text)]
  const triggers = new Set<string>()
  const leaves = new Set<string>()
  const result = sql.replaceAll(rebuilt, (whole, table: string, ...parts: string[]) => {
    const own = left.filter((each) => each.table === table)
    const asDeclared = declared.tables.get(table)
    if (own.length === 0 && asDeclared === undefined) return whole
    const known = after.get(table) ?? new Set<string>()
    const change = {
      ...{ table, own, known, declared: asDeclared, made: made.tables.get(table) },
      gone: [...(before.get(table) ?? [])].filter((name) => !known.has(name)),
      before: fieldsBefore.get(table) ?? new Map(),
      after: fieldsAfter.get(table) ?? new Map(),
    }
    const [body = '', between = '', into = '', values = '', ending = ''] = parts
    const end = givesIdsAgain(change) ? withoutLastNumber(ending) : ending
    const columns = columnsOf(change)
    const beside = carriedObjects(change, columns, { sql, declared, objects })
    for (const each of beside.triggers) triggers.add(each)
    const { items, leaves: gone } = itemsOf(change, columns, body)
    const clauses = asDeclared === undefined ? [] : lostClauses(table, asDeclared)
    for (const each of [...gone, ...beside.leaves, ...clauses]) leaves.add(each)
    const options = asDeclared?.isStrict === true ? ' STRICT' : ''
    const names = columns.left.flatMap(({ name, isGenerated }) =>
      isGenerated ? [] : [quoted(name)],
    )
    const isWorkedOut = (item: string) =>
      columns.filled.some(({ name, isGenerated }) => isGenerated && item === quoted(name))
    const list = (sql: string) =>
      [...split(sql).filter((item) => !isWorkedOut(item)), ...names].join(', ')
    return [
      `CREATE TABLE "new_${table}" (\n${items.map((item) => `    ${item}`).join(',\n')}\n)${options};\n`,
      between,
      `INSERT INTO "new_${table}" (${list(into)}) SELECT ${list(values)} FROM "${table}";\n`,
      ...beside.drops,
      end,
      ...beside.statements,
    ].join('')
  })
  // A trigger may name a table that is built anew after its own.
  const named = withRealNames(result, { declared, objects })
  return { sql: [named, ...triggers].join(''), leaves: [...leaves] }
}

function columnsOf({ own, known, after }: TableChange): CarriedColumns {
  const isFilled = (name: string) =>
    /@default\(dbgenerated\(\)\)/.test(after.get(name)?.attributes ?? '')
  return {
    left: own.flatMap(({ ...each }) =>
      each.is === 'column' && !known.has(each.name) && each.sql !== undefined
        ? [{ ...each, sql: each.sql }]
        : [],
    ),
    filled: own.flatMap((each) => (each.is === 'filled' && isFilled(each.name) ? [each] : [])),
  }
}

/** Between the parentheses. */
function itemsOf(change: TableChange, { left, filled }: CarriedColumns, body: string) {
  const declared = split(body).map((item) => {
    const isOf = ({ name }: { readonly name: string }) => item.startsWith(`${quoted(name)} `)
    return filled.find(isOf)?.sql ?? carriedItem(change, item)
  })
  const place = declared.findIndex((item) => !item.startsWith('"'))
  const at = place === -1 ? declared.length : place
  const own = left.map(({ sql }) => sql)
  const { kept, leaves } = carriedChecks(change, [...own, ...filled.map(({ sql }) => sql)])
  return { items: [...declared.slice(0, at), ...own, ...declared.slice(at), ...kept], leaves }
}

const split = (sql: string) => splitOutside(sql, ',').map((item) => item.trim())

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

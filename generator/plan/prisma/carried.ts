import { readFields, readNames } from './datamodel.js'
import { isTrigger, type LeftAlone } from './left-alone.js'
import type { SchemaFile } from './schema-file.js'
import { splitOutside } from './sql-tables.js'

/** What SQLite builds anew, as Prisma's engine writes it. */
const rebuilt =
  /CREATE TABLE "new_([^"]+)" \(\n([^]*?)\n\);\n((?:[^]*?;\n)??)INSERT INTO "new_\1" \((.*?)\) SELECT ([^]*?) FROM "\1";\n([^]*?ALTER TABLE "new_\1" RENAME TO "\1";\n)/g

/**
 * SQLite builds a table anew by what the schema says of it. What the database has beside that is carried over: columns with
 * their values, unique keys, indexes and triggers; checks and foreign keys as long as each column that they name is there.
 */
export function carried(
  sql: string,
  from: SchemaFile,
  to: readonly SchemaFile[],
  left: readonly LeftAlone[],
): string {
  const text = to.map(({ content }) => content).join('\n')
  const [before, after] = [readNames(from.content), readNames(text)]
  const fields = readFields(text)
  const triggers: string[] = []
  const result = sql.replaceAll(rebuilt, (whole, table: string, ...parts: string[]) => {
    const [body = '', between = '', into = '', values = '', end = ''] = parts
    const own = left.filter((each) => each.table === table)
    const isFilled = (name: string) =>
      /@default\(dbgenerated\(\)\)/.test(fields.get(table)?.get(name)?.attributes ?? '')
    if (own.length === 0) return whole
    const known = after.get(table) ?? new Set<string>()
    const gone = [...(before.get(table) ?? [])].filter((name) => !known.has(name))
    const columns = own.flatMap((each) =>
      each.is === 'column' && !known.has(each.name) && each.sql !== undefined ? [each] : [],
    )
    const constraints = own.flatMap((each) =>
      each.is === 'constraint' && !gone.some((name) => namesWord(each.sql, name)) ? [each.sql] : [],
    )
    const filled = own.flatMap((each) =>
      each.is === 'filled' && isFilled(each.name) ? [each] : [],
    )
    const isWorkedOut = (item: string) =>
      filled.some(({ name, isGenerated }) => isGenerated && item === quoted(name))
    const kept = (list: string) =>
      splitOutside(list, ',')
        .map((item) => item.trim())
        .filter((item) => !isWorkedOut(item))
    const names = columns.flatMap(({ name, isGenerated }) => (isGenerated ? [] : [quoted(name)]))
    const all = new Set([...known, ...columns.map(({ name }) => name)])
    for (const each of own) {
      if (each.is === 'statement' && isTrigger(each.sql)) triggers.push(`${each.sql};\n`)
    }
    const indexes = own.flatMap((each) => {
      if (each.is === 'statement' && !isTrigger(each.sql)) return [`${each.sql};\n`]
      if (each.is !== 'unique' && each.is !== 'index') return []
      if (!each.columns.every((name) => all.has(name)) || isMade(sql, table, each.columns))
        return []
      return [indexSql(each.is, table, each.columns)]
    })
    const items = splitOutside(body, ',').map((text) => {
      const item = text.trim()
      const isOf = ({ name }: { readonly name: string }) => item.startsWith(`${quoted(name)} `)
      const collated = own.flatMap((each) =>
        each.is === 'collated' && isOf(each) ? [each] : [],
      )[0]
      const sql = filled.find(isOf)?.sql
      return sql ?? (collated === undefined ? item : `${item} COLLATE ${collated.by}`)
    })
    const place = items.findIndex((item) => !item.startsWith('"'))
    const at = place === -1 ? items.length : place
    const declared = columns.map((each) => each.sql)
    const inside = [...items.slice(0, at), ...declared, ...items.slice(at), ...constraints]
    return [
      `CREATE TABLE "new_${table}" (\n${inside.map((item) => `    ${item}`).join(',\n')}\n);\n`,
      between,
      `INSERT INTO "new_${table}" (${[...kept(into), ...names].join(', ')}) SELECT ${[...kept(values), ...names].join(', ')} FROM "${table}";\n`,
      end,
      ...indexes,
    ].join('')
  })
  // A trigger may name a table that is built anew after its own.
  return [result.replaceAll(renamed, withReaders), ...triggers].join('')
}

const renamed = /^ALTER TABLE "new_([^"]+)" RENAME TO "\1";\n/gm

/** SQLite would refuse it because of views and triggers that read the table: for this moment, there is none of its name. */
const withReaders = (rename: string) =>
  `PRAGMA legacy_alter_table=ON;\n${rename}PRAGMA legacy_alter_table=OFF;\n`

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const namesWord = (sql: string, name: string) =>
  /^\w+$/.test(name)
    ? (sql.match(/\w+/g) ?? []).some((word) => word.toLowerCase() === name.toLowerCase())
    : sql.toLowerCase().includes(name.toLowerCase())

const isMade = (sql: string, table: string, columns: readonly string[]) =>
  sql.includes(` ON ${quoted(table)}(${columns.map(quoted).join(', ')})`)

function indexSql(is: 'unique' | 'index', table: string, columns: readonly string[]): string {
  const kind = is === 'unique' ? 'UNIQUE INDEX' : 'INDEX'
  const name = quoted([table, ...columns, is === 'unique' ? 'key' : 'idx'].join('_'))
  return `CREATE ${kind} ${name} ON ${quoted(table)}(${columns.map(quoted).join(', ')});\n`
}

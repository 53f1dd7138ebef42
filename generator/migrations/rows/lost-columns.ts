import type { Problem } from '../../blueprint/types.js'
import { splitSides } from '../../source/branches.js'
import { readNames } from '../schema/datamodel.js'
import { statementsOf } from '../sql/own-statements.js'
import { splitOutside } from '../sql/sql-tables.js'

interface SavedMigration {
  /** Its folder. */
  readonly name: string
  readonly sql: string
}

/** The statement that made a column, and the one that rebuilt its table without it. */
interface Column {
  readonly addedBy: string
  readonly lostBy: string | null
}

/** A name that is no more. */
interface Gone {
  readonly by: string
  /** Null: dropped. */
  readonly to: string | null
}

type Columns = Map<string, Column>

interface Reading {
  readonly tables: Map<string, Columns>
  /** `posts`, `posts.title` */
  readonly gone: Map<string, Gone>
  readonly problems: Problem[]
}

/**
 * Migrations of two branches that git merged one behind the other, in the order in which a database runs them. SQLite builds
 * a table anew to change a column, by a list of the columns that the branch knew: one that the other branch added would go
 * with its values, and the schema still has it. And what one branch changes, the other may have renamed or dropped.
 */
export function lostColumns(saved: readonly SavedMigration[], base: string): readonly Problem[] {
  const reading: Reading = { tables: new Map(), gone: new Map(), problems: [] }
  for (const { name, sql } of saved) {
    for (const statement of statementsOf(sql)) run(reading, statement, name)
  }
  const lost = [...readNames(base)].flatMap(([table, columns]) =>
    [...columns].flatMap((column) => {
      const found = reading.tables.get(table)?.get(column)
      return found === undefined || found.lostBy === null
        ? []
        : [lostProblem(table, column, found.addedBy, found.lostBy)]
    }),
  )
  const broken = reading.problems.slice(0, 1)
  return broken.length > 0 ? broken : [...lost, ...keptLines(reading, base)]
}

/** Finds the lines of a schema that somebody settled by keeping all lines of both branches. */
const keptLines = ({ gone }: Reading, base: string): readonly Problem[] =>
  [...(splitSides(base) === null ? readNames(base) : [])].flatMap(([table, columns]) =>
    [...columns].flatMap((column) => {
      const { by, to = null } = gone.get(`${table}.${column}`) ?? {}
      if (to === null || !columns.has(to)) return []
      return [
        {
          ...{ rule: 'gone-column', file: 'prisma/migrations/base.prisma', line: 1, column: 1 },
          message: `it has '${column}' of '${table}', which ${by} renamed to '${to}': both branches' lines are in it`,
          fix: `take out the line of '${column}', give '${to}' what the migrations of the other branch made of it, and run svc generate again`,
        },
      ]
    }),
  )

function run(reading: Reading, statement: string, by: string): void {
  const { tables, gone } = reading
  const [, created, body] =
    /^CREATE TABLE (?:IF NOT EXISTS )?"([^"]+)" \(([^]*)\)$/.exec(statement) ?? []
  if (created !== undefined) {
    const columns = columnsIn(body ?? '', by)
    tables.set(created, columns)
    return areThere(reading, created, columns)
  }
  refuseGone(reading, statement, by)
  const [, dropped] = /^DROP TABLE (?:IF EXISTS )?"([^"]+)"/.exec(statement) ?? []
  if (dropped !== undefined && !tables.has(`new_${dropped}`)) {
    tables.delete(dropped)
    gone.set(dropped, { by, to: null })
  }
  const [, altered = '', change = ''] = /^ALTER TABLE "([^"]+)" ([^]*)$/.exec(statement) ?? []
  const table = tables.get(altered)
  if (table === undefined) return
  for (const [, added = ''] of change.matchAll(/\bADD COLUMN\s+"([^"]+)"/g)) {
    table.set(added, { addedBy: by, lostBy: null })
    gone.delete(`${altered}.${added}`)
  }
  for (const [, column = ''] of change.matchAll(/\bDROP COLUMN "([^"]+)"/g)) {
    table.delete(column)
    gone.set(`${altered}.${column}`, { by, to: null })
  }
  const [, from, to] = /^RENAME (?:COLUMN "([^"]+)" )?TO "([^"]+)"/.exec(change) ?? []
  if (to === undefined) return
  if (from !== undefined) {
    move(table, from, to)
    gone.set(`${altered}.${from}`, { by, to })
    return void gone.delete(`${altered}.${to}`)
  }
  const isAnew = altered === `new_${to}`
  tables.delete(altered)
  tables.set(to, isAnew ? anew(tables.get(to), table, by) : table)
  if (!isAnew) gone.set(altered, { by, to })
  areThere(reading, to, table)
}

/** Names that were gone may come back, of other columns. */
function areThere({ gone }: Reading, table: string, columns: Columns): void {
  gone.delete(table)
  for (const column of columns.keys()) gone.delete(`${table}.${column}`)
}

/** A statement of svc's that names what another migration renamed or dropped; a name in an expression of somebody's is not looked for. */
function refuseGone({ gone, problems }: Reading, statement: string, by: string): void {
  const [, table = '', rest = ''] =
    /^(?:ALTER TABLE|UPDATE|CREATE (?:UNIQUE )?INDEX "[^"]+" ON|CREATE TRIGGER "[^"]+" AFTER (?:INSERT|UPDATE|DELETE) ON|INSERT INTO "new_[^"]+" \([^)]*\) SELECT [^]* FROM) "([^"]+)"([^]*)$/.exec(
      statement,
    ) ?? []
  if (table === '') return
  const own = gone.get(table)
  if (own !== undefined && own.by !== by) problems.push(goneProblem(`'${table}'`, by, own))
  for (const column of namedIn(statement, rest)) {
    const found = gone.get(`${table}.${column}`)
    if (found === undefined || found.by === by) continue
    problems.push(goneProblem(`'${column}' of '${table}'`, by, found))
  }
}

/** The columns that a statement names, which goes on with `rest` behind its table. */
function namedIn(statement: string, rest: string): readonly string[] {
  const columns = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? '')
  if (statement.startsWith('CREATE TRIGGER')) return columns(rest, /\b(?:NEW|OLD)\."([^"]+)"/g)
  if (statement.startsWith('CREATE')) return columns(rest, /"([^"]+)"/g)
  const read = statement.startsWith('INSERT')
    ? / SELECT ([^]*) FROM/.exec(statement)?.[1]
    : / GENERATED ALWAYS AS \(([^]*)\) STORED/.exec(withoutTexts(rest))?.[1]
  return [
    ...columns(rest, /\b(?:ALTER|DROP|RENAME) COLUMN "([^"]+)"|^ SET "([^"]+)"/g),
    ...columns(read ?? '', /"([^"]+)"/g),
  ]
}

const withoutTexts = (sql: string) => sql.replaceAll(/'(?:[^']|'')*'/g, "''")

const columnsIn = (body: string, addedBy: string) =>
  new Map(
    splitOutside(body, ',').flatMap((item) => {
      const [, column] = /^\s*"([^"]+)"/.exec(item) ?? []
      return column === undefined ? [] : [[column, { addedBy, lostBy: null }] as const]
    }),
  )

function move(table: Map<string, Column>, from: string, to: string): void {
  const column = table.get(from)
  table.delete(from)
  if (column !== undefined) table.set(to, column)
}

/** The new table, and what it lacks of the old one. */
function anew(
  old: ReadonlyMap<string, Column> = new Map(),
  now: ReadonlyMap<string, Column>,
  by: string,
): Map<string, Column> {
  const all = new Map<string, Column>()
  for (const [name, column] of old) all.set(name, { ...column, lostBy: column.lostBy ?? by })
  for (const [name, column] of now) all.set(name, { ...(old.get(name) ?? column), lostBy: null })
  return all
}

const lostProblem = (table: string, column: string, addedBy: string, lostBy: string): Problem => ({
  rule: 'lost-column',
  ...at(lostBy),
  message:
    `it builds '${table}' anew without '${column}', which ${addedBy} added on another branch: ` +
    `databases that apply it lose that column with its values`,
  fix: `before any database with that column applies it: ${onceMore(lostBy)}`,
})

const goneProblem = (what: string, by: string, { by: other, to }: Gone): Problem => ({
  rule: 'gone-column',
  ...at(by),
  message:
    `it changes ${what}, which ${other} ${to === null ? 'dropped' : `renamed to '${to}'`} on another branch: ` +
    `no database can apply it behind that one`,
  fix: onceMore(by),
})

const at = (migration: string) => ({
  file: `prisma/migrations/${migration}/migration.sql`,
  line: 1,
  column: 1,
})

/** The other branch's migrations first, and what they lead to; then the change once more. */
const onceMore = (migration: string) =>
  `delete the folder ${migration}, bring prisma/migrations/base.prisma back ` +
  `to what it was without it (git checkout <the other branch> -- prisma/migrations/base.prisma), run svc generate, ` +
  `and save it again: svc migrate save ${migration.replace(/^\d+_/, '')}. Recreate a development database that has applied it`

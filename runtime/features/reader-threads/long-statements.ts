import { LRUCache } from 'lru-cache'
import type { Handle } from '../../database/sqlite/handle.js'
import type { Parameter } from '../../database/types.js'
import { endable, type Walked } from './endable.js'

/** A table with more rows is large: going through fewer, of short texts, takes some milliseconds. */
const largeTable = 20_000

/** Nanoseconds that a test of a row takes. */
const nsOfTest = 50
/** Functions and operators of SQLite that may read a text to its end. */
const readsText = /\b(?:like|glob|regexp|instr|length|lower|upper|trim|replace|json_extract)\b/gi
/** Nanoseconds for each byte of a row: to read it, and to look for a text in it. */
const nsToRead = 0.1
const nsToSearch = 1.6
/** Nanoseconds for which a statement may keep the server's own thread. */
const longestNs = 10_000_000

/** Pages of a table that are counted: of more, its size is not asked for, and it is large. */
const mostPages = 1_000

/** Milliseconds after which a table's size is looked up again. */
const sizeAgeMs = 1_000

export interface LongStatement {
  readonly sql: string
  /** The statement in a form that can be ended before its first row. */
  readonly endable: string
}

interface Known extends LongStatement {
  readonly walked: readonly Walked[]
  /** The number of text searches in values that the statement may read to their end. */
  readonly textTests: number
  /** LIMIT ends it, at a row that its parameters say. */
  readonly endsEarly: boolean
}

/** Rows of a table in its order, or in that of an index, that are gone through in less time than a thread is asked. */
const firstRows = 1_000

/**
 * Which statements take long: those that go through a large table, by SQLite's plan. The plan is
 * asked for once for each text.
 *
 *   SCAN posts · SEARCH posts USING INDEX a (b>?)     through all of it, or through a range
 *   SEARCH posts USING INDEX a (b=?)                  of one key: few, unless counted or sorted
 *   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)  one row
 *   SCAN words VIRTUAL TABLE INDEX                    of words: as many of the rows that are looked up
 *                                                     for it as have them
 *   SCAN posts, and nothing else, LIMIT ? OFFSET ?    a page: its first rows, or all before it
 */
export class LongStatements {
  readonly #known = new LRUCache<string, Known>({ max: 1_000 })
  readonly #sizes = new Map<string, { readonly size: Size; readonly until: number }>()
  #isWal: boolean | null = null

  constructor(readonly handle: Handle) {}

  /** Null: it is short, or SQLite refuses it, which whoever runs it will report. */
  find(sql: string, parameters: readonly Parameter[]): LongStatement | null {
    const known = this.#known.get(sql) ?? this.#explain(sql, parameters)
    if (known?.endsEarly === true && lastRow(parameters) <= firstRows) return null
    if (known === null) return null
    const sizes = known.walked.map(({ table }) => this.#sizeOf(table))
    return isLong(sizes, parameters.length + 1, known.textTests) ? known : null
  }

  #explain(sql: string, parameters: readonly Parameter[]): Known | null {
    try {
      const steps = this.#planOf(sql, parameters)
      const walked = this.#walkedBy(sql, steps)
      const known = {
        sql,
        walked,
        textTests: [...sql.matchAll(readsText)].length,
        endable: endable(sql, walked),
        endsEarly: steps.length === 1 && isPage(sql),
      }
      this.#known.set(sql, known)
      return known
    } catch {
      return null
    }
  }

  #planOf(sql: string, parameters: readonly Parameter[]): readonly Step[] {
    // Without WAL, a statement on another connection keeps writers waiting.
    this.#isWal ??= this.handle.pragma('journal_mode', { simple: true }) === 'wal'
    if (!this.#isWal) return []
    return this.handle.prepare(`explain query plan ${sql}`).all(parameters) as Step[]
  }

  #walkedBy(sql: string, steps: readonly Step[]): readonly Walked[] {
    const sorting = new Set(steps.filter(isSort).map(({ parent }) => parent))
    const keys = keysIn(sql)
    const isTotal = /\b(?:count|sum|min|max)\(/i.test(sql)
    const findsMany = steps.some(({ detail }) => this.#isOfIndex(detail))
    const walked = new Map<string, Walked>()
    for (const { parent, detail } of steps) {
      const [, verb, alias, how = ''] = /^(SCAN|SEARCH) (\S+)(.*)/.exec(detail) ?? []
      if (alias === undefined || / VIRTUAL TABLE /.test(how)) continue
      const isLong =
        findsMany || verb === 'SCAN' || takesLong(how, keys, isTotal || sorting.has(parent))
      const table = isLong ? this.#tableCalled(alias, sql) : null
      if (table !== null) walked.set(alias, { table, alias })
    }
    return [...walked.values()]
  }

  /** A virtual table that is there: `json_each` is none. */
  #isOfIndex(detail: string): boolean {
    const [, name] = /^SCAN (\S+) VIRTUAL TABLE /.exec(detail) ?? []
    return name !== undefined && this.#exists(name)
  }

  /** The plan says what the statement calls a table. */
  #tableCalled(alias: string, sql: string): string | null {
    const name = alias.replaceAll(/\W/g, '\\$&')
    const named = new RegExp(`(?:"([^"]+)"|(\\w+))\\s+(?:as\\s+)?"?${name}\\b`, 'gi')
    const candidates = [...sql.matchAll(named)].map(([, quoted, plain = '']) => quoted ?? plain)
    return [...candidates, alias].find((each) => this.#exists(each)) ?? null
  }

  #exists(table: string): boolean {
    const sql = `select 1 from sqlite_schema where type = 'table' and name = ?`
    return this.handle.prepare(sql).get(table) !== undefined
  }

  #sizeOf(table: string): Size {
    const now = performance.now()
    const known = this.#sizes.get(table)
    if (known !== undefined && now < known.until) return known.size
    const rows = this.#rowsOf(table)
    const size = { rows, bytes: rows > largeTable ? Infinity : this.#bytesOf(table) }
    this.#sizes.set(table, { size, until: now + sizeAgeMs })
    return size
  }

  /** The number of its last row, which is found at once and never too small. */
  #rowsOf(table: string): number {
    try {
      return Number(this.handle.prepare(`select max(rowid) from "${table}"`).pluck().get())
    } catch {
      return Infinity // WITHOUT ROWID: not counted
    }
  }

  /** Bytes of its pages, which are counted in less than a millisecond. */
  #bytesOf(table: string): number {
    try {
      const pages = this.handle.prepare('select pgsize from dbstat where name = ? limit ?').pluck()
      const sizes = pages.all(table, mostPages) as number[]
      return sizes.length < mostPages ? sizes.reduce((sum, each) => sum + each, 0) : Infinity
    } catch {
      return 0 // an SQLite that counts no pages
    }
  }
}

/** The size of a table: it decides how long a scan takes. */
interface Size {
  readonly rows: number
  readonly bytes: number
}

/**
 * Whether a statement takes long that goes through these tables, one inside the other. Each value that it is given may be a
 * test of each row, and the row itself is one.
 */
function isLong(sizes: readonly Size[], tests: number, textTests: number): boolean {
  if (sizes.some(({ rows }) => rows > largeTable)) return true
  const rows = sizes.reduce((product, each) => product * Math.max(1, each.rows), 1)
  const ofByte = nsToRead + nsToSearch * textTests
  return sizes.some(({ rows: own, bytes }) => {
    const ofRow = nsOfTest * tests + (ofByte * bytes) / Math.max(1, own)
    return rows * ofRow > longestNs
  })
}

/** A line of EXPLAIN QUERY PLAN. */
interface Step {
  readonly parent: number
  readonly detail: string
}

const isSort = ({ detail }: Step) => detail.startsWith('USE TEMP B-TREE')

/** Every row it comes to is one it answers or skips; a condition, a group or an aggregate may take all of them. */
const isPage = (sql: string): boolean =>
  / limit \? offset \?$/i.test(sql) &&
  !/\b(?:where|distinct|group|having)\b|\b(?!(?:cast|printf)\()\w+\(/i.test(sql)

/** The number of the last row of a page. */
function lastRow(parameters: readonly Parameter[]): number {
  const [limit, offset] = parameters.slice(-2).map(Number)
  // A negative LIMIT is none.
  return limit === undefined || offset === undefined || !(limit >= 0) ? Infinity : limit + offset
}

/**
 * Of a SEARCH. `keys`: columns whose range is one value; `readsAll`: all rows that are found are
 * read, and not the first ones.
 */
function takesLong(how: string, keys: ReadonlySet<string>, readsAll: boolean): boolean {
  const bounds = how.replaceAll(/(\w+)>\? AND \1<\?/g, (range, name: string) =>
    keys.has(name) ? '' : range,
  )
  if (how.includes('AUTOMATIC') || /\([^)]*[<>]/.test(bounds)) return true
  return readsAll && / INDEX /.test(how)
}

/** Related records are found in an index's order: `post_id >= k.value and post_id <= k.value`. */
const keysIn = (sql: string): ReadonlySet<string> =>
  new Set(
    [...sql.matchAll(/("\w+"\."(\w+)") >= (\S+) and \1 <= \3(?=[\s)])/g)].map(
      ([, , name = '']) => name,
    ),
  )

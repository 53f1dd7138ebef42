import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/types.js'
import {
  arrayTypes,
  type Column,
  type ColumnKind,
  type Encode,
  encodeList,
} from '../model/columns.js'
import type { Comparison, Node } from './parse-condition.js'
import { targetOf } from '../model/entity.js'
import { slot } from '../sql/statement-cache.js'
import { linked } from '../features/relations/relation-sql.js'

/** An SQL fragment. Values in it are slots. */
export type Sql = RawBuilder<unknown>

interface Scope {
  readonly dialect: Dialect
  /** Which part of the request holds the values of the condition. */
  readonly part: number
  /** Alias of the table the condition is about. */
  readonly alias: string
  readonly pivot: string
  readonly depth: number
}

/** A condition as SQL about the table called `alias`. */
export function conditionSql(dialect: Dialect, node: Node, part: number, alias: string): Sql {
  return compile({ dialect, part, alias, pivot: '', depth: 0 }, node)
}

function compile(scope: Scope, node: Node): Sql {
  switch (node.op) {
    case 'true':
    case 'false':
      return sql.raw(node.op)
    case 'unknown':
      return sql.raw(unknown[scope.dialect])
    case 'all':
    case 'any': {
      const parts = node.nodes.map((part) => compile(scope, part))
      return sql`(${sql.join(parts, node.op === 'all' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql`not (${compile(scope, node.node)})`
    case 'null': {
      const column = reference(scope, node)
      return node.negated ? sql`${column} is not null` : sql`${column} is null`
    }
    case 'in':
      return compileIn(scope, node)
    case 'compare':
      return compileComparison(scope, node)
    case 'related':
      return compileRelated(scope, node)
    case 'sql':
      return compileSql(scope, node)
  }
}

function reference(scope: Scope, place: { column: Column; ofPivot: boolean }): Sql {
  return sql.id(place.ofPivot ? scope.pivot : scope.alias, place.column.name)
}

/** `x in (…)` with the list as one parameter, so that its length is no shape. */
function inList(dialect: Dialect, expression: Sql, list: Sql, kind: ColumnKind): Sql {
  if (dialect === 'sqlite') return sql`${expression} in (select value from json_each(${list}))`
  return sql`${expression} = any(${list}::${sql.raw(arrayTypes[kind])})`
}

function compileIn(scope: Scope, node: Node & { op: 'in' }): Sql {
  const { dialect } = scope
  const list = slot(scope.part, node.slot, encodeList(node.column.encode, dialect))
  const kind = node.asFloat ? 'float' : node.column.kind
  const found = inList(dialect, reference(scope, node), list, kind)
  if (!node.holey) return sql`(${found})`
  return orUnknown(dialect, found)
}

const unknown: Record<Dialect, string> = { sqlite: 'null', postgresql: 'null::boolean' }

/** True, or unknown. */
function orUnknown(dialect: Dialect, condition: Sql): Sql {
  return sql`(${condition} or ${sql.raw(unknown[dialect])})`
}

const operators: Partial<Record<Comparison, Sql>> = {
  equals: sql`=`,
  not: sql`<>`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
}

function compileComparison(scope: Scope, node: Node & { op: 'compare' }): Sql {
  const { dialect, part } = scope
  const { column, test } = node
  const left = reference(scope, node)
  const operator = operators[test]
  if (operator === undefined) return compileText(scope, node, left)
  const isEquality = test === 'equals' || test === 'not'
  const compared = isEquality ? left : orderable(dialect, column, left)
  const encode = isEquality ? column.encode : orderEncode(dialect, column)
  const value = slot(part, node.slot, encode)
  // PostgreSQL takes a parameter for what it is compared with, an integer.
  const isCast = node.asFloat && dialect === 'postgresql'
  return sql`${compared} ${operator} ${isCast ? sql`${value}::float8` : value}`
}

/**
 * What `<` and ORDER BY see. Decimals are text on SQLite: their digits as one number up to 18 of
 * them, above as text that sorts like them. Text compares by code point on both databases, as it
 * does in memory.
 */
function orderable(dialect: Dialect, column: Column, expression: Sql): Sql {
  if (column.kind === 'decimal') return numeric(dialect, column, expression)
  const isText = column.kind === 'text' || column.kind === 'password'
  return isText && dialect === 'postgresql' ? sql`${expression} collate "C"` : expression
}

/**
 * A column as ORDER BY must see it; text in the order of the database. An index of the migrations is on
 * this very text: SQLite takes it for no other.
 */
export function numeric(dialect: Dialect, column: Column, expression: Sql): Sql {
  if (column.kind !== 'decimal' || dialect === 'postgresql') return expression
  return column.precision > chunk
    ? sortableDecimal(column, expression)
    : sql`cast(replace(${expression}, '.', '') as integer)`
}

/**
 * Digits that fit an integer of SQLite. Longer decimals are a text of chunks: `1` and the digits
 * with zeros before them, or `0` and what each chunk of a negative one lacks to all nines.
 */
const chunk = 18

const chunksOf = ({ precision }: Column): number => Math.ceil(precision / chunk)

/** The same as `sortKey`, in SQL. */
function sortableDecimal(column: Column, expression: Sql): Sql {
  const length = chunksOf(column) * chunk
  const zeros = sql.lit('0'.repeat(length))
  const bare = sql`replace(replace(${expression}, '-', ''), '.', '')`
  const digits = sql`substr(${zeros} || ${bare}, ${sql.lit(-length)})`
  const nines = Array.from({ length: chunksOf(column) }, (_, at) => {
    const part = sql`substr(${digits}, ${sql.lit(at * chunk + 1)}, ${sql.lit(chunk)})`
    return sql`printf('%018d', 999999999999999999 - cast(${part} as integer))`
  })
  const negative = sql.join(nines, sql` || `)
  return sql`case when ${expression} like '-%' then '0' || ${negative} else '1' || ${digits} end`
}

function sortKey(column: Column, text: string): string {
  const digits = text.replace(/[-.]/g, '').padStart(chunksOf(column) * chunk, '0')
  if (!text.startsWith('-')) return `1${digits}`
  return `0${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}`
}

/** The other side of `orderable`. */
function orderEncode(dialect: Dialect, column: Column): Encode {
  if (column.kind !== 'decimal' || dialect === 'postgresql') return column.encode
  return (value) =>
    column.precision > chunk
      ? sortKey(column, String(value))
      : BigInt(String(value).replace('.', ''))
}

const patterns = {
  contains: { before: true, after: true },
  startsWith: { before: false, after: true },
  endsWith: { before: true, after: false },
  folded: { before: true, after: true },
}

/**
 * Literal. Case-sensitive is INSTR or GLOB on SQLite, whose LIKE folds ASCII, and LIKE on PostgreSQL;
 * folding is LIKE and ILIKE: A to Z on SQLite, every letter the database's locale knows on
 * PostgreSQL. Neither takes accents away.
 */
function compileText(scope: Scope, node: Node & { op: 'compare' }, left: Sql): Sql {
  const test = node.test as keyof typeof patterns // the others have an operator
  const { before, after } = patterns[test]
  const isGlob = scope.dialect === 'sqlite' && test !== 'folded'
  if (isGlob && test === 'contains') {
    return sql`instr(${left}, ${slot(scope.part, node.slot, String)}) > 0`
  }
  const [wild, escape] = isGlob ? ['*', escapeGlob] : ['%', escapeLike]
  const encode: Encode = (value) =>
    `${before ? wild : ''}${escape(String(value))}${after ? wild : ''}`
  const pattern = slot(scope.part, node.slot, encode)
  if (isGlob) return sql`${left} glob ${pattern}`
  const isText = scope.dialect === 'sqlite' || node.column.kind === 'text'
  const text = isText ? left : sql`cast(${left} as text)`
  const operator = scope.dialect === 'postgresql' && test === 'folded' ? sql`ilike` : sql`like`
  return sql`${text} ${operator} ${pattern} escape '\\'`
}

const escapeGlob = (text: string): string => text.replace(/[*?[]/g, '[$&]')

/** `%`, `_` and the escape character itself, as text to be found. */
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function compileRelated(scope: Scope, node: Node & { op: 'related' }): Sql {
  const { link, has } = node
  const depth = scope.depth + 1
  const target = { table: targetOf(link).table, alias: `t${depth}` }
  const pivot = `p${depth}`
  const { tables, on } = linked(link, scope.alias, target, pivot)
  const inner = compile({ ...scope, alias: target.alias, pivot, depth }, node.node)
  const condition = has === 'every' ? sql`(${inner}) is not true` : inner
  const where = node.node.op === 'true' && has !== 'every' ? on : sql`${on} and ${condition}`
  const exists = sql`exists (select 1 from ${tables} where ${where})`
  const { dialect } = scope
  if (has === 'every')
    return node.unsure ? orUnknown(dialect, sql`not ${exists}`) : sql`not ${exists}`
  const found = node.unsure ? orUnknown(dialect, exists) : exists
  return has === 'some' ? found : sql`not ${found}`
}

function compileSql(scope: Scope, node: Node & { op: 'sql' }): Sql {
  const encode = freeEncode[scope.dialect]
  const pieces = node.texts.flatMap((text, i) => {
    const part = node.parts[i]
    if (part === undefined) return [sql.raw(text)]
    const value =
      'slot' in part ? slot(scope.part, part.slot, encode) : sql.id(scope.alias, part.column.name)
    return [sql.raw(text), value]
  })
  return sql`(${sql.join(pieces, sql``)})`
}

/** Values of `sql`: no column tells their kind, their own type does. */
const freeEncode: Record<Dialect, Encode> = {
  sqlite: (value) => {
    if (typeof value === 'boolean') return value ? 1 : 0
    return value instanceof Date ? value.toISOString().replace('Z', '+00:00') : plain(value)
  },
  postgresql: (value) => {
    if (typeof value === 'boolean') return String(value)
    return value instanceof Date ? value.toISOString() : plain(value)
  },
}

function plain(value: unknown): string | number {
  return typeof value === 'number' ? value : String(value)
}

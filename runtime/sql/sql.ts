import { LRUCache } from 'lru-cache'
import type { Caller } from '../database/caller.js'
import type { Connection, Dialect, Parameter, RawRow, Statement } from '../database/types.js'
import type { Later } from '../later.js'

/**
 * A piece of SQL: text, and between its texts other pieces or values. Values become parameters;
 * text comes from templates in the source and never from a request.
 */
export class Sql {
  constructor(
    readonly texts: readonly string[],
    readonly parts: readonly Part[],
  ) {}
}

/**
 * The place of a value that each request has another one of, in a condition or a statement that is
 * written once. It cannot be taken for the value itself.
 */
export class Slot {
  constructor(
    /** The index among the values of a request. */
    readonly at: number,
    /** The value of the request for which it is written. */
    readonly sample: unknown,
    readonly encode: (value: unknown) => Parameter = (value) => value as Parameter,
  ) {}

  [Symbol.toPrimitive](): never {
    throw new TypeError('a place for a value is no value')
  }

  toJSON(): never {
    throw new TypeError('a place for a value is no value')
  }
}

type Part = Sql | Parameter | Slot

/** @example sql`select ${id('p', 'title')} from ${table('posts', 'p')} where id = ${7}` */
export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  return new Sql(texts, parts)
}

/** Text as it stands, made once: keywords, and names of the manifest that were quoted. */
export function raw(text: string): Sql {
  const known = raws.get(text)
  if (known !== undefined) return known
  const made = new Sql([text], [])
  raws.set(text, made)
  return made
}

/** Bounded, because callers choose which columns are read. */
const raws = new LRUCache<string, Sql>({ max: 5_000 })

/** A quoted name: `identifier('posts', 'title')` is `"posts"."title"`. */
export const identifier = (name: string, column = ''): Sql =>
  named(ids, name, column, () =>
    raw(column === '' ? quoted(name) : `${quoted(name)}.${quoted(column)}`),
  )

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as a literal: only names of the manifest, so that an index can be on it. */
export const literal = (text: string): Sql => raw(`'${text.replaceAll("'", "''")}'`)

/** `"posts" as "t0"` */
export const table = (name: string, alias: string): Sql =>
  named(tables, name, alias, () => raw(`${quoted(name)} as ${quoted(alias)}`))

type Names = Map<string, Map<string, Sql>>

/** Names are the manifest's. Two lookups: joining them to one key each time costs more. */
function named(known: Names, first: string, second: string, make: () => Sql): Sql {
  const names = known.get(first)
  const found = names?.get(second)
  if (found !== undefined) return found
  const made = make()
  if (names === undefined) known.set(first, new Map([[second, made]]))
  else names.set(second, made)
  return made
}

const ids: Names = new Map()
const tables: Names = new Map()

/** The pieces with a separator between them. */
export function join(pieces: readonly Part[], separator = ', '): Sql {
  if (pieces.every(isText)) return raw(pieces.map(({ texts }) => texts[0]).join(separator))
  return new Sql(between(separator, pieces.length), pieces)
}

/**
 * Returns true if the same templates made two pieces with the same values; they then write the
 * same.
 */
export function isSame(one: Part, other: Part): boolean {
  if (one instanceof Slot && other instanceof Slot) return one.at === other.at
  if (!(one instanceof Sql && other instanceof Sql)) return one === other
  if (one === other) return true
  const { texts, parts } = other
  return one.texts === texts && one.parts.every((part, at) => isSame(part, parts[at] ?? null))
}

/** A piece without values or other pieces. */
const isText = (piece: Part): piece is Sql => piece instanceof Sql && piece.parts.length === 0

/** The texts of a join, the same object for the same length: `compile` knows statements by them. */
function between(separator: string, length: number): readonly string[] {
  const lengths = separators.get(separator) ?? new Map<number, readonly string[]>()
  separators.set(separator, lengths)
  const known = lengths.get(length)
  if (known !== undefined) return known
  const texts = ['', ...Array.from({ length: length - 1 }, () => separator), '']
  lengths.set(length, texts)
  return texts
}

const separators = new Map<string, Map<number, readonly string[]>>()

/**
 * The shape of statements, piece by piece: which texts follow which. Texts are objects that live as
 * long as the source, so a statement is found again by what it is made of, without writing its text
 * anew for each request and looking that up (measured: 4 of 5 µs a statement).
 */
interface Shape {
  readonly next: Map<object, Shape>
  /** The text of the statement that ends here. */
  text: string | null
}

const newShape = (): Shape => ({ next: new Map(), text: null })

/** Stands for a value in a shape. */
const value = {}

/** Callers choose shapes: then all are forgotten, and found again. */
const mostShapes = 20_000
let shapeCount = 0
let shapes: Readonly<Record<Dialect, Shape>> = { sqlite: newShape(), postgresql: newShape() }

function step({ next }: Shape, by: object): Shape {
  const known = next.get(by)
  if (known !== undefined) return known
  const made = newShape()
  next.set(by, made)
  shapeCount += 1
  return made
}

/** Text and parameters as the driver takes them. */
export interface Compiled {
  readonly text: string
  readonly parameters: readonly Parameter[]
}

export function compile(query: Sql, dialect: Dialect): Compiled {
  // Only plans have places for values, and look for them.
  return compileSlots(query, dialect) as Compiled
}

/** Compiles a statement that has places for values. */
export function compileSlots(
  query: Sql,
  dialect: Dialect,
): { readonly text: string; readonly parameters: readonly (Parameter | Slot)[] } {
  const parameters: (Parameter | Slot)[] = []
  let shape = shapes[dialect]
  const collect = ({ texts, parts }: Sql): void => {
    shape = step(shape, texts)
    for (const part of parts) {
      if (part instanceof Sql) collect(part)
      else {
        shape = step(shape, value)
        parameters.push(part)
      }
    }
  }
  collect(query)
  const text = (shape.text ??= textOf(query, dialect))
  if (shapeCount > mostShapes) {
    shapes = { sqlite: newShape(), postgresql: newShape() }
    shapeCount = 0
  }
  return { text, parameters }
}

/** A piece without pieces of its own: for what is part of every request. */
export function flat(query: Sql): Sql {
  const texts = ['']
  const values: (Parameter | Slot)[] = []
  const add = (text = '') => (texts[texts.length - 1] += text)
  const walk = (piece: Sql): void => {
    add(piece.texts[0])
    piece.parts.forEach((part, at) => {
      if (part instanceof Sql) walk(part)
      else {
        values.push(part)
        texts.push('')
      }
      add(piece.texts[at + 1])
    })
  }
  walk(query)
  return new Sql(texts, values)
}

function textOf(query: Sql, dialect: Dialect): string {
  let text = ''
  let place = 0
  const write = ({ texts, parts }: Sql): void => {
    text += texts[0] ?? ''
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] ?? null
      if (part instanceof Sql) write(part)
      else text += dialect === 'postgresql' ? `$${++place}` : '?'
      text += texts[at + 1] ?? ''
    }
  }
  write(query)
  return text
}

/** Sends a statement that only reads; it may run beside a writer, and has `most` rows at most. */
export function read(
  connection: Connection,
  query: Sql,
  caller?: Caller,
  most = Infinity,
): Promise<RawRow[]> {
  const { text, parameters } = compile(query, connection.dialect)
  return connection.query({ sql: text, access: 'read', most }, parameters, caller)
}

/** Reads rows; at once where the database can. */
export function readSoon(
  connection: Connection,
  query: Sql,
  caller?: Caller,
  most = Infinity,
): Later<RawRow[]> {
  const { text, parameters } = compile(query, connection.dialect)
  return sendSoon(connection, { sql: text, access: 'read', most }, parameters, caller)
}

/** Sends a statement that is written already; its rows are there at once where the database can. */
export function sendSoon(
  { query }: Connection,
  statement: Statement,
  parameters: readonly Parameter[],
  caller?: Caller,
): Later<RawRow[]> {
  return query.soon === undefined
    ? query(statement, parameters, caller)
    : query.soon(statement, parameters, caller)
}

/** Sends a statement that changes or locks something. */
export function write(connection: Connection, query: Sql): Promise<RawRow[]> {
  return sendCompiled(connection, compile(query, connection.dialect))
}

/** As `write`, of a statement that is compiled already. */
export function sendCompiled(
  connection: Connection,
  { text, parameters }: Compiled,
): Promise<RawRow[]> {
  return connection.query({ sql: text, access: 'write' }, parameters)
}

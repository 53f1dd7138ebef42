import type { Dialect, Parameter } from '../../database/types.js'
import { selected } from '../../model/column-sql.js'
import type { Column } from '../../model/columns.js'
import type { Entity } from '../../model/entity.js'
import type { SortTerm } from '../../model/sql-test.js'
import { identifier, join, raw, type Sql, sql } from '../../sql/sql.js'

/** One key of the order that is walked. */
export interface Key {
  /** The value, of the table called `t0`. */
  readonly value: Sql
  readonly descending: boolean
  readonly mayBeNull: boolean
  readonly column: Column | null
  /** An index may serve it. */
  readonly isOwn: boolean
}

/** A value as cursors hold it: exactly what the database compares. */
export type Held = string | number | null

export type Way = 'next' | 'prev'

/** The keys of an order, which is total: the id is the last one. */
export function keysOf({ id }: Entity, terms: readonly SortTerm[]): readonly Key[] {
  const keys: Key[] = []
  for (const { key, value, descending, mayBeNull, column = null, isOwn = false } of terms) {
    keys.push({ value: value('t0'), descending, mayBeNull, column, isOwn })
    if (key === 'id') return keys
  }
  const value = identifier('t0', id.name)
  return [...keys, { value, descending: true, mayBeNull: false, column: id, isOwn: true }]
}

/**
 * What to select of a key. The driver's value may have lost digits of it (microseconds of an
 * instant), PostgreSQL's text has not; SQLite's own value is exact but for large numbers.
 */
export function heldOf({ value, column }: Key, dialect: Dialect): Sql {
  if (dialect === 'postgresql') return sql`cast(${value} as text)`
  return column === null ? value : selected(column, value)
}

/** As a parameter that is compared with the key. PostgreSQL reads it as what it stands beside. */
function parameterOf({ column }: Key, held: string | number, dialect: Dialect): Parameter {
  const isText = dialect === 'sqlite' && column?.storage.isRounded === true
  return isText ? column.encode(held) : held
}

/** A part of the records behind a position, in the order of its keys. */
export interface Stretch {
  readonly test: Sql | null
  readonly keys: readonly Key[]
}

export interface Walk {
  readonly keys: readonly Key[]
  /** Null: from the first record, or with `prev` from the last. */
  readonly from: readonly Held[] | null
  readonly way: Way
  readonly dialect: Dialect
}

/**
 * The records behind a position, as stretches that follow each other. Where the first key may be
 * NULL there are two, with a value and without one: NULL is not where indexes have it, so that no
 * index would serve both together.
 */
export function stretchesOf(walk: Walk): readonly Stretch[] {
  const { keys, from, way } = walk
  const [first, ...rest] = keys
  if (first === undefined || !first.mayBeNull || !first.isOwn) {
    return [{ test: from && behind(walk, keys, from), keys }]
  }
  const isAt = from === null ? null : from[0] === null ? 'absent' : 'present'
  const present = [Object.assign({}, first, { mayBeNull: false }), ...rest]
  const isPresent = sql`${first.value} is not null`
  const isAbsent = sql`${first.value} is null`
  const both: Readonly<Record<'present' | 'absent', Stretch>> = {
    present: {
      test: isAt === 'present' && from !== null ? behind(walk, present, from) : isPresent,
      keys: present,
    },
    absent: {
      test:
        isAt === 'absent' && from !== null
          ? sql`(${isAbsent} and ${behind(walk, rest, from.slice(1))})`
          : isAbsent,
      keys: rest,
    },
  }
  const order = way === 'next' ? (['present', 'absent'] as const) : (['absent', 'present'] as const)
  return order.slice(isAt === null ? 0 : order.indexOf(isAt)).map((name) => both[name])
}

/** Returns the test that a record stands behind the position. */
function behind(walk: Walk, keys: readonly Key[], from: readonly Held[]): Sql {
  const { way, dialect } = walk
  const [first] = keys
  const value = from[0] ?? null
  const isSimple = keys.every((key) => !key.mayBeNull && key.descending === first?.descending)
  if (first === undefined) return raw('false')
  if (isSimple && keys.length > 1) {
    // One comparison of all, which an index on all of them serves from its first row on.
    const held = keys.map((key, at) => bound(key, from[at] ?? null, dialect))
    return sql`(${join(keys.map((key) => key.value))}) ${signOf(first, way)} (${join(held)})`
  }
  const found = keyByKey(walk, keys, from) ?? raw('false')
  if (first.mayBeNull || value === null || keys.length === 1) return found
  // Says nothing new, and is what an index on the first key begins at.
  return sql`(${first.value} ${signOf(first, way)}= ${bound(first, value, dialect)} and ${found})`
}

/** Behind by this key, or equal in it and behind by those that follow; null: no record is. */
function keyByKey(walk: Walk, keys: readonly Key[], from: readonly Held[]): Sql | null {
  const [key, ...rest] = keys
  if (key === undefined) return null
  const value = from[0] ?? null
  const beyond = beyondKey(walk, key, value)
  const further = keyByKey(walk, rest, from.slice(1))
  if (further === null) return beyond
  const isSame =
    value === null
      ? sql`${key.value} is null`
      : sql`${key.value} = ${bound(key, value, walk.dialect)}`
  const equal = sql`(${isSame} and ${further})`
  return beyond === null ? equal : sql`(${beyond} or ${equal})`
}

/** NULLs are last, whichever way a key is sorted. */
function beyondKey({ way, dialect }: Walk, key: Key, value: Held): Sql | null {
  if (value === null) return way === 'next' ? null : sql`${key.value} is not null`
  const found = sql`${key.value} ${signOf(key, way)} ${bound(key, value, dialect)}`
  return key.mayBeNull && way === 'next' ? sql`(${found} or ${key.value} is null)` : found
}

const signOf = ({ descending }: Key, way: Way): Sql =>
  raw(descending === (way === 'next') ? '<' : '>')

const bound = (key: Key, value: Held, dialect: Dialect): Sql => {
  const parameter = value === null ? null : parameterOf(key, value, dialect)
  return sql`${parameter}`
}

/** `order by …`: with `prev` from the last record on. What an index has by itself is left unsaid. */
export function orderOf(keys: readonly Key[], way: Way, dialect: Dialect): Sql {
  const pieces = keys.map(({ value, descending, mayBeNull }) => {
    const isDown = descending === (way === 'next')
    const nulls = way === 'next' ? 'last' : 'first'
    const usual = (dialect === 'sqlite') === isDown ? 'last' : 'first'
    const said = mayBeNull && nulls !== usual ? ` nulls ${nulls}` : ''
    return sql`${value} ${raw(`${isDown ? 'desc' : 'asc'}${said}`)}`
  })
  return sql` order by ${join(pieces)}`
}

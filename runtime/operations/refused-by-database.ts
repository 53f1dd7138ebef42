import { ConstraintError, type Database, type Dialect } from '../database/types.js'
import { conflict, invalid } from '../errors.js'
import { sentence, worded } from '../input/messages.js'
import type { Entity, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { read, type Sql, sql } from '../sql/sql.js'
import { misfits, type WrittenTable } from './misfits.js'
import { takenKeys } from './unique-keys.js'

/**
 * What a write means to the caller that the database refused; any other error as it was. A database
 * names one unique key that is taken; what else is taken is looked up, so that one answer names all.
 */
export async function refusedWrite(
  entity: Entity,
  values: Row,
  id: number | string | null,
  error: unknown,
): Promise<unknown> {
  const isTaken = error instanceof ConstraintError && error.kind === 'unique'
  const named = isTaken ? fieldsOf(entity, error) : []
  if (named.length === 0) return meaningOf(entity, values, await withColumns(entity, values, error))
  const others = await takenKeys(entity, values, id, named)
  return takenFields(entity, [named, ...others])
}

/** Looks up the columns that the database does not name. */
async function withColumns(entity: WrittenTable, values: Row, error: unknown) {
  if (!(error instanceof ConstraintError)) return error
  const { check, kind, cause, columns } = error
  if (columns.length > 0 && check === undefined) return error
  const named =
    check === undefined ? await unheld(entity, values, kind) : await checked(entity, check)
  return named.length === 0 ? error : new ConstraintError(kind, named, { cause })
}

const unheld = async (entity: WrittenTable, values: Row, kind: ConstraintError['kind']) =>
  kind === 'value' && entity.dialect === 'postgresql' ? misfits(entity, values) : []

/** A CHECK of somebody's own has a name or a condition: the columns are looked up by it. */
async function checked({ database, table, columns, dialect }: WrittenTable, check: string) {
  const found =
    dialect === 'sqlite'
      ? columnsIn(await conditionOf(database, table, check))
      : (await read(database, columnsOfCheck(table, check))).map(([name]) => String(name))
  const known = [...columns.values()].map(({ name }) => name)
  return known.filter((name) => found.some((each) => isSame(each, name, dialect)))
}

const columnsOfCheck = (table: string, check: string): Sql => sql`SELECT attname::text
  FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
  WHERE conname = ${check} AND conrelid = to_regclass(quote_ident(${table}))`

/** On SQLite, where a name leads to what the table was made with. */
async function conditionOf(database: Database, table: string, check: string): Promise<string> {
  const made = sql`SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ${table}`
  const [row] = await read(database, made)
  const name = check.replaceAll(/[^\p{L}\d_]/gu, String.raw`\$&`)
  const named = new RegExp(`CONSTRAINT\\s+["'\`[]?${name}["'\`\\]]?\\s+CHECK\\s*([^]*)`, 'i')
  const condition = named.exec(String(row?.[0]))?.[1]
  return condition === undefined ? check : withinBrackets(condition)
}

/** `(…)` at the beginning of a text. */
function withinBrackets(text: string): string {
  let depth = 0
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1
    if (depth === 0) return text.slice(0, index)
  }
  return text
}

/** Each word that may be a column's name. */
const columnsIn = (condition: string): string[] =>
  (
    condition
      .replaceAll(/'[^']*'/g, '')
      .match(/"[^"]+"|`[^`]+`|\[[^\]]+\]|[\p{L}_][\p{L}\d_$]*/gu) ?? []
  ).map((word) => word.replaceAll(/^["`[]|["`\]]$/g, ''))

const isSame = (one: string, other: string, dialect: Dialect): boolean =>
  dialect === 'sqlite' ? one.toLowerCase() === other.toLowerCase() : one === other

/**
 * Returns the answer to a refusal of the database; an error that no request can cause stays as it
 * is.
 */
export function meaningOf(entity: Entity, values: Row, error: unknown): unknown {
  if (!(error instanceof ConstraintError)) return error
  const { kind } = error
  const columns = fieldsOf(entity, error)
  if (kind === 'unique') return takenFields(entity, [columns])
  if (kind === 'foreign') {
    return invalidFields(foreignColumns(entity, values, columns), worded(notThere, 'exists'))
  }
  const written = columns.filter((name) => {
    return getOwn(entity.rules, name) !== undefined || entity.relations?.foreignColumns.has(name)
  })
  return written.length === 0 ? error : invalidFields(written, said(kind))
}

/** Throws what it means that the database refused the values of pivots. */
export async function throwRefusedPivots(
  pivots: WrittenTable,
  values: Row,
  error: unknown,
): Promise<never> {
  const named = await withColumns(pivots, values, error)
  if (!(named instanceof ConstraintError) || !/^(value|notNull)$/.test(named.kind)) throw error
  const written = fieldsOf(pivots, named).filter((name) => Object.hasOwn(values, name))
  throw written.length === 0 ? error : invalidFields(written, said(named.kind))
}

const said = (kind: ConstraintError['kind']) =>
  kind === 'notNull' ? worded('is required', 'required') : worded('is not valid', 'invalid')

/** Lists the fields of the columns that the database named. */
const fieldsOf = ({ columns: known }: Pick<Entity, 'columns'>, { columns }: ConstraintError) =>
  columns.map((each) => [...known.values()].find(({ name }) => name === each)?.field ?? each)

/** Ends the sentence about a value that another record has. */
export const taken = 'has already been taken'

/** Ends the sentence about a foreign key that points at no record the user may see. */
export const notThere = 'must be the id of a record that exists'

/** 422 with each column of keys that are taken, if a response shows or a request writes it. */
function takenFields(entity: Entity, keys: readonly (readonly string[])[]): Error {
  const errors = new Map<string, string[]>()
  for (const key of keys) {
    const known = key.length === 1 ? key : key.filter((name) => isKnown(entity, name))
    const words = known.map((name) => name.replaceAll('_', ' '))
    const what = words.length > 1 ? `combination of ${words.join(' and ')}` : words.join('')
    for (const name of known) {
      errors.set(name, [...(errors.get(name) ?? []), takenText(entity, name, what, known)])
    }
  }
  if (errors.size === 0) return conflict('A record with these values exists already.')
  return invalid(errors)
}

function takenText(
  { key }: Entity,
  name: string,
  what: string,
  together: readonly string[],
): string {
  if (together.length < 2) return sentence(name, worded(taken, 'unique'), key)
  const fields = together.join(', ')
  return sentence(name, worded(sentence(what, taken), 'uniqueTogether', { fields }), key)
}

const isKnown = ({ attributes, rules }: Entity, name: string): boolean =>
  attributes.includes(name) || getOwn(rules, name) !== undefined

function invalidFields(columns: readonly string[], text: string): Error {
  return invalid(new Map(columns.map((name) => [name, [sentence(name, text)]])))
}

/** SQLite does not name the key it was: then all that were written. */
function foreignColumns(entity: Entity, values: Row, named: readonly string[]): readonly string[] {
  if (named.length > 0) return named
  const foreign = [...(entity.relations?.foreignColumns ?? [])]
  return foreign.filter((name) => Object.hasOwn(values, name))
}

/**
 * Returns the answer to a deletion that the database refused: a record that others point at stays.
 */
export async function refusedDelete(error: unknown): Promise<unknown> {
  if (!(error instanceof ConstraintError) || error.kind === 'value') return error
  return conflict('This record is still used by other records.')
}

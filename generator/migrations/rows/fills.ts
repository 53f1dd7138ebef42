import { checkDefault } from '../../blueprint/fields/defaults.js'
import { storedName } from '../../blueprint/names/names.js'
import type { Finding } from '../../blueprint/problems.js'
import type { Blueprint, Column, Database, Json } from '../../blueprint/types.js'
import { kindOf, storedAs } from '../../kinds/kinds.js'
import { wishesOf, type Wish } from '../diff/renames.js'
import type { MigrationState } from '../migration-state.js'
import { defaultLiteral } from '../schema/columns.js'
import { quote } from '../schema/print.js'
import { markText, readFillMarks, type FillMark } from '../sql/fill-marks.js'

/** A value for existing rows in a column that needs one, and has no default for new rows. */
export interface Fill {
  readonly table: string
  readonly column: string
  /** `<table>.<column>`, where it was renamed since. */
  readonly formerly: readonly string[]
  readonly value: Json
  /** As Prisma writes a default. */
  readonly literal: string
}

/** Thrown when a value does not fit its column; says why. */
export class WrongFill extends Error {}

/** `posts.slug=none`, as the command line says it. */
export function readFill(text: string, blueprint: Blueprint): Fill {
  const [, table = '', name = '', value = ''] = /^([^.=]+)\.([^.=]+)=([^]*)$/.exec(text) ?? []
  const column = columnOf(blueprint, table, name)
  if (column === undefined) {
    throw new WrongFill(`--fill '${text}' names no column: write --fill <table>.<column>=<value>.`)
  }
  return fillOf(blueprint.database, table, column, parsed(column, value))
}

function columnOf({ entities, pivots }: Blueprint, table: string, name: string) {
  const columns =
    entities.find((entity) => entity.table === table)?.columns ??
    pivots.find((pivot) => pivot.table === table)?.fields
  return (
    columns?.find((column) => storedName(column) === name) ??
    columns?.find((column) => column.name === name)
  )
}

function parsed({ kind }: Column, text: string): unknown {
  if (kindOf(kind).typescript === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fillOf(database: Database, table: string, column: Column, value: unknown): Fill {
  if (storedAs(column).isSecret) return passwordFill(table, column, value)
  const findings: Finding[] = []
  const what = `'${column.name}' of '${table}'`
  const place = { at: [], what, report: (finding: Finding) => void findings.push(finding) }
  const { folded: _, ...definition } = column
  const read = checkDefault({ ...definition, default: value }, place)
  if (read === undefined) throw new WrongFill(`${findings[0]?.message ?? what}.`)
  return {
    table,
    column: storedName(column),
    formerly: [],
    value: read,
    literal: defaultLiteral(column, read, database),
  }
}

/** Rows get no password that somebody wrote into a command: a hash of one, or none at all. */
function passwordFill(table: string, column: Column, value: unknown): Fill {
  if (typeof value !== 'string' || !/^(!|\$argon2id\$\S+)$/.test(value))
    throw new WrongFill(noPassword)
  return { table, column: storedName(column), formerly: [], value, literal: quote(value) }
}

const noPassword =
  "a password is filled with '!', which lets nobody sign in until they ask for a new one, or with an Argon2id hash."

export const fillMark = ({ value, ...fill }: Fill): string =>
  markText({ ...fill, value: JSON.stringify(value) })

/**
 * The fills that scripts were made with, under the names of today: a column that was renamed takes its fill along, and
 * back. Those whose column is gone or takes other values now are forgotten.
 */
export function fillsIn(
  scripts: readonly string[],
  blueprint: Blueprint,
  { base }: Pick<MigrationState, 'base'>,
): readonly Fill[] {
  const wishes = wishesOf(blueprint, base)
  return scripts.flatMap(readFillMarks).flatMap((mark) => {
    const names = [`${mark.table}.${mark.column}`, ...mark.formerly]
    const now = names.flatMap((name) => [name, ...renamed(name, wishes)]).find(isColumn)
    return now === undefined ? [] : fillAgain(mark, now, names)
  })
  function isColumn(name: string): boolean {
    return columnOf(blueprint, ...partsOf(name)) !== undefined
  }
  function fillAgain({ value }: FillMark, now: string, names: readonly string[]): readonly Fill[] {
    const [table, name] = partsOf(now)
    const column = columnOf(blueprint, table, name)
    if (column === undefined) return []
    try {
      const fill = fillOf(blueprint.database, table, column, JSON.parse(value))
      return [{ ...fill, formerly: names.filter((each) => each !== now) }]
    } catch {
      return []
    }
  }
}

/** Returns the possible new names of a column. */
function renamed(name: string, wishes: readonly Wish[]): readonly string[] {
  const [table, column] = partsOf(name)
  const tables = wishes.filter((wish) => wish.column === null && wish.from === table)
  return [table, ...tables.map((wish) => wish.table)]
    .flatMap((each) => [
      ...wishes.flatMap((wish) =>
        wish.table === each && wish.column?.from === column ? [`${each}.${wish.column.to}`] : [],
      ),
      `${each}.${column}`,
    ])
    .filter((each) => each !== name)
}

function partsOf(name: string): [table: string, column: string] {
  const [table = '', column = ''] = name.split('.')
  return [table, column]
}

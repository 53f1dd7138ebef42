import type { Column } from '../../blueprint/types.js'
import { setType } from './datamodel.js'
import type { SchemaFile } from './schema-file.js'
import { markedColumns, type Marked } from './schema-marks.js'

/**
 * A decimal of SQLite is a number of at most 15 digits: no two such decimals are the same number, so they
 * compare, sort and are unique as they are, whoever wrote them. A CHECK refuses what is none of them:
 *
 *     written              decimal(10, 2)        why
 *     47, '47', '047.00'   47                    a column of type DECIMAL makes a number of a text
 *     '4.85e1', 48.5       48.5
 *     '48.505', 48.505     refused               a third digit behind the point
 *     1e8, 'abc', x'34'    refused               too many digits before it; no number
 *
 * Dividing a whole number by a power of ten gives the one number that is nearest to the decimal: so
 * `round(x * 100) / 100` is what JavaScript and SQLite read in its digits. (SQLite 3.40, which some have as a
 * command, misreads one in some thousands with 8 digits behind the point: the CHECK refuses it.)
 */
const decimal = /^decimal\((\d+), (\d+)\): see its CHECK in the migrations\.$/

/** The comment above a decimal, for which Prisma's schema has no digits on SQLite. */
export const decimalMark = ({ precision = 10, scale = 2 }: Column): string =>
  `decimal(${precision}, ${scale}): see its CHECK in the migrations.`

/** Adds the digits and the CHECK of each decimal to the engine's SQL. */
export function withDecimals(sql: string, schema: readonly SchemaFile[]): string {
  const decimals = byPlace(markedColumns(schema, decimal))
  if (decimals.size === 0) return sql
  let table = ''
  return sql
    .split('\n')
    .map((line) => {
      table = /^(?:CREATE|ALTER) TABLE "(?:new_)?([^"]+)"/.exec(line)?.[1] ?? table
      return line.replace(declared, (all, before: string, column: string, rest: string, end) => {
        const found = decimals.get(placeOf({ table, column }))
        if (found === undefined) return all
        return `${before}"${column}" ${typeOf(found)}${rest} CHECK (${checkOf(found)})${end}`
      })
    })
    .join('\n')
}

const declared = /^(\s+|ALTER TABLE "[^"]+" ADD COLUMN\s+)"([^"]+)" DECIMAL\b(.*?)([,;]?)$/

const typeOf = ({ mark: [, precision, scale] }: Marked) => `DECIMAL(${precision},${scale})`

function checkOf({ column, mark: [, precision, scale] }: Marked): string {
  const behind = Number(scale)
  const digits = '9'.repeat(Number(precision))
  const whole = digits.slice(behind) || '0'
  const largest = behind === 0 ? whole : `${whole}.${'9'.repeat(behind)}`
  const power = `1${'0'.repeat(behind)}`
  const exact = behind === 0 ? `round("${column}")` : `round("${column}" * ${power}) / ${power}`
  return `"${column}" = ${exact} AND "${column}" BETWEEN -${largest} AND ${largest}`
}

/**
 * The schema from before, in which decimals that have other digits now are of another type: Prisma's engine
 * builds their tables anew, as it must for another CHECK.
 */
export function withOtherDigits(
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): readonly SchemaFile[] {
  const now = byPlace(markedColumns(after, decimal))
  const changed = markedColumns(before, decimal).filter((old) => {
    const each = now.get(placeOf(old))
    return each !== undefined && typeOf(old) !== typeOf(each)
  })
  return before.map(({ path, content }) => ({
    path,
    content: changed.reduce((text, { table, column }) => {
      return setType(text, { table, column, type: 'Float' })
    }, content),
  }))
}

const placeOf = ({ table, column }: Pick<Marked, 'table' | 'column'>) => `${table}.${column}`

const byPlace = (decimals: readonly Marked[]): ReadonlyMap<string, Marked> =>
  new Map(decimals.map((each) => [placeOf(each), each]))

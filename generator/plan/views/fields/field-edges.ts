import type { Column } from '../../../blueprint/types.js'
import { kindOf, kinds, storedAs } from '../../../kinds/kinds.js'
import { valueOf } from '../../../source/literal.js'

const isJson = ({ name }: (typeof kinds)[number]) => storedAs({ kind: name }).isJson

/**
 * Values for fields without bounds, under their names in tests/repositories.ts; JSON is long, and
 * comes last.
 */
const usual = new Map(
  [...kinds]
    .toSorted((one, other) => Number(isJson(one)) - Number(isJson(other)))
    .flatMap(({ edges }) => (edges.usual === null ? [] : [edges.usual]))
    .map(({ name, values }) => [name, values]),
)

/** The lists that some field is tried with, as TypeScript. */
export const usualLists = (names: ReadonlySet<string>) =>
  [...usual].flatMap(([name, values]) =>
    names.has(name) ? [{ name, values: valueOf(values) }] : [],
  )

const namesOfLists = new Map([...usual].map(([name, values]) => [values.map(valueOf).join(), name]))

/** The values of a column as one expression, at most so many; and the list that it names. */
export function edgesText(column: Column, most: number) {
  const edges = fieldEdges(column).slice(0, most)
  const isEnding = edges.at(-1) === 'null'
  const list = namesOfLists.get((isEnding ? edges.slice(0, -1) : edges).join())
  if (list === undefined) return { values: `[${edges.join(', ')}]`, list: null }
  return { values: isEnding ? `[...${list}, null]` : list, list }
}

const ofColumns = new WeakMap<Column, readonly string[]>()
const found = new Map<string, readonly string[]>()

/**
 * The values of a column that are lost most easily, as expressions of TypeScript; in the order in which the database
 * sorts them, NULL last. Found once for all columns alike.
 */
export function fieldEdges(column: Column): readonly string[] {
  const edges = ofColumns.get(column) ?? edgesOfAlike(column)
  ofColumns.set(column, edges)
  return edges
}

function edgesOfAlike(column: Column): readonly string[] {
  const { kind, min, max, notBlank, precision, scale, options = [], rules = [], sample } = column
  const alike = JSON.stringify([
    kind,
    min,
    max,
    notBlank,
    precision,
    scale,
    holdsNull(column),
    options,
    rules,
    sample,
  ])
  const known = found.get(alike) ?? edgesOf(column)
  found.set(alike, known)
  return known
}

function edgesOf(column: Column): readonly string[] {
  const edges = kindOf(column.kind).edges.of(column)
  return [...new Set([...edges, ...(holdsNull(column) ? ['null'] : [])])]
}

/** A column that a write through Prisma leaves out, like a NULL of JSON, gets the default. */
const holdsNull = (column: Column) =>
  column.nullable && (!storedAs(column).isJson || column.default === undefined)

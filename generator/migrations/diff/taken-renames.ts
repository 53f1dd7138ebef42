import type { Names } from '../schema/datamodel.js'
import { readFillMarks } from '../sql/fill-marks.js'
import type { Wish } from './renames.js'

interface Taken {
  /** The table's name when the migration is over. */
  readonly table: string
  /** Null: the table itself. */
  readonly column: string | null
  readonly from: string
  readonly to: string
}

const statement = /^ALTER TABLE "([^"]+)" RENAME (?:COLUMN "([^"]+)" )?TO "([^"]+)";?$/gm

function takenIn(sql: string): readonly Taken[] {
  const steps = [...sql.matchAll(statement)].map(([, table = '', column = null, to = '']) => {
    return { table, column, from: column ?? table, to }
  })
  const nameNow = (table: string) =>
    steps.reduce(
      (name, step) => (step.column === null && step.from === name ? step.to : name),
      table,
    )
  return [...steps.map((step) => ({ ...step, table: nameNow(step.table) })), ...filledIn(sql)]
}

/** A column that a draft adds is only added once more when it is renamed; where it was filled, the draft says its names. */
const filledIn = (sql: string): readonly Taken[] =>
  readFillMarks(sql).flatMap(({ table, column: to, formerly }) =>
    formerly.flatMap((name) => {
      const column = name.split('.')[1] ?? ''
      return column === to ? [] : [{ table, column, from: column, to }]
    }),
  )

/** `UPDATE … SET "x_type" = 'articles' WHERE "x_type" = 'posts'`: by the URI key before, that after. */
function keysIn(sql: string): ReadonlyMap<string, string> {
  const found = sql.matchAll(
    /^UPDATE "[^"]+" SET "[^"]+" = '([^']*)' WHERE "[^"]+" = '([^']*)';?$/gm,
  )
  return new Map([...found].map(([, to = '', from = '']) => [from, to]))
}

/**
 * A draft that a database took may have renamed things already, `title` to `heading`. The manifest speaks of the names that
 * are saved: with `renamedFrom('title')`, or with `title` again, this database has to start from `heading`.
 */
export function wishesAfter(sql: string, wishes: readonly Wish[], target: Names): readonly Wish[] {
  const taken = takenIn(sql)
  const keys = keysIn(sql)
  const onward = wishes.flatMap((wish) =>
    taken.flatMap((each): readonly Wish[] => {
      if (wish.column === null) {
        if (each.column !== null || each.from !== wish.from) return []
        return [{ ...wish, from: each.to, ...onwardKey(wish, keys) }]
      }
      const isSame = each.column !== null && each.from === wish.column.from
      const isHere = wish.table === each.table || isRenamed(wishes, each.table, wish.table)
      return isSame && isHere ? [{ ...wish, column: { ...wish.column, from: each.to } }] : []
    }),
  )
  return [...wishes, ...onward, ...taken.flatMap((each) => backTo(each, keys, target))]
}

/**
 * Renamed twice before it is saved, `title` to `heading` and `heading` to `headline`, and the manifest says
 * `renamedFrom('heading')`: a name that no saved migration knows. The draft tells what it was called there.
 */
export function wishesThrough(
  draft: string,
  wishes: readonly Wish[],
  saved: Names,
): readonly Wish[] {
  const taken = takenIn(draft)
  const keys = keysIn(draft)
  const former = (table: string) =>
    taken.find((each) => each.column === null && each.to === table)?.from ?? table
  const isSaved = ({ table, column, from }: Wish) =>
    column === null
      ? saved.has(from)
      : [table, former(table)].some((name) => saved.get(name)?.has(column.from))
  const through = wishes
    .filter((wish) => !isSaved(wish))
    .flatMap((wish): readonly Wish[] => {
      const { column, key } = wish
      // On the next run, the draft has the whole way.
      const names = column === null ? [wish.from, wish.table] : [column.from, column.to]
      const step = taken.find(
        (each) =>
          names.includes(each.to) &&
          (column === null ? each.column === null : each.column !== null && isAt(wish, each)),
      )
      if (step === undefined) return []
      if (column !== null) return [{ ...wish, column: { ...column, from: step.from } }]
      const first = [...keys].find(([, to]) => to === key?.from || to === key?.to)?.[0]
      // It has the name that is saved again.
      if (first === undefined && step.from === wish.table) return []
      return [
        { ...wish, from: step.from, ...(key && first ? { key: { ...key, from: first } } : {}) },
      ]
    })
  function isAt({ table }: Wish, each: Taken): boolean {
    return each.table === table || isRenamed(wishes, each.table, table)
  }
  return [...wishes, ...through]
}

const onwardKey = ({ key }: Wish, keys: ReadonlyMap<string, string>) =>
  key === undefined ? {} : { key: { ...key, from: keys.get(key.from) ?? key.from } }

const isRenamed = (wishes: readonly Wish[], from: string, table: string) =>
  wishes.some((wish) => wish.column === null && wish.from === from && wish.table === table)

/** The way back to a name that is used again. */
function backTo(
  { table, column, from, to }: Taken,
  keys: ReadonlyMap<string, string>,
  target: Names,
): readonly Wish[] {
  if (column === null) {
    const [back] = [...keys].map(([one, other]) => ({ from: other, to: one }))
    const key = back === undefined ? {} : { key: back }
    return target.has(from) && !target.has(to)
      ? [{ table: from, column: null, from: to, ...key }]
      : []
  }
  const columns = target.get(table)
  if (columns?.has(from) !== true || columns.has(to)) return []
  return [{ table, from: table, column: { from: to, to: from } }]
}

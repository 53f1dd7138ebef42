import type { ConstraintError } from '../../../database/types.js'
import { canonical, type Column } from '../../../model/columns.js'
import type { Entity, Row } from '../../../model/entity.js'

/** A row that is changed, as far as unique values go. */
interface Changed {
  readonly id: number | string | null
  readonly values: Row
}

/**
 * Rows in an order in which each finds the value that it wants given up: `rank = rank + 1` from the
 * last to the first. Those that exchange values among each other have none, and stay as they are.
 */
export function afterThoseThatGiveUp<Item extends Changed>(
  entity: Entity,
  rows: readonly Item[],
  { columns }: ConstraintError,
  before: ReadonlyMap<unknown, Row>,
): readonly Item[] {
  const keys = uniqueKeys(entity, columns)
  const holders = keys.map((key) => {
    const found = new Map<string, Item>()
    for (const row of rows) {
      const held = heldBy(key, before.get(row.id) ?? {})
      if (held !== null) found.set(held, row)
    }
    return found
  })
  const waitsFor = (row: Item): readonly Item[] =>
    keys.flatMap((key, at) => {
      const wanted = heldBy(key, Object.assign({}, before.get(row.id), row.values))
      const holder = wanted === null ? undefined : holders[at]?.get(wanted)
      return holder === undefined || holder === row ? [] : [holder]
    })
  const sorted = new Set<Item>()
  const begun = new Set<Item>()
  for (const first of rows) {
    // A stack of its own: a thousand may wait for each other.
    const stack = [first]
    for (let row = stack.at(-1); row !== undefined; row = stack.at(-1)) {
      begun.add(row)
      const next = waitsFor(row).find((each) => !begun.has(each))
      if (next === undefined) sorted.add(stack.pop() ?? row)
      else stack.push(next)
    }
  }
  return [...sorted]
}

/**
 * Returns true if the row waits for rows that wait for each other. The rows that are undone hold
 * the values that they had before.
 */
export function endsInExchange<Item extends Changed>(
  { columns: known }: Entity,
  row: Item,
  { undone, error, before, holdersByKey }: Exchange<Item>,
): boolean {
  const key = [...known.values()].filter(({ name }) => error.columns.includes(name))
  const holders =
    holdersByKey.get(error.columns.join()) ??
    new Map(undone.map((each) => [heldBy(key, before.get(each.id) ?? {}), each]))
  holdersByKey.set(error.columns.join(), holders)
  const passed = new Set<Item>()
  let next: Item | undefined = row
  while (next !== undefined && !passed.has(next)) {
    passed.add(next)
    const wanted = heldBy(key, Object.assign({}, before.get(next.id), next.values))
    const holder: Item | undefined = wanted === null ? undefined : holders.get(wanted)
    next = holder === next ? undefined : holder
  }
  return next !== undefined
}

interface Exchange<Item> {
  readonly undone: readonly Item[]
  readonly error: ConstraintError
  readonly before: ReadonlyMap<unknown, Row>
  /** Keeps the rows by the value that they hold, for the next row that is looked at. */
  readonly holdersByKey: Map<string, ReadonlyMap<string | null, Item>>
}

/** Columns that are unique together: those that the database named, and those that are declared. */
function uniqueKeys(entity: Entity, named: readonly string[]): readonly (readonly Column[])[] {
  const all = [...entity.columns.values()]
  const declared = (entity.unique ?? []).map((key) => {
    const names: readonly string[] = typeof key === 'string' ? [key] : key
    return all.filter(({ field }) => names.includes(field))
  })
  const refused = all.filter(({ name }) => named.includes(name))
  return [refused, ...declared].filter((key) => key.length > 0)
}

/** Null: NULL is not taken. */
function heldBy(key: readonly Column[], row: Row): string | null {
  const values = key.map((each) => canonical(each, row[each.field]) ?? null)
  if (values.includes(null)) return null
  return values.map((value) => `${typeof value} ${String(value)}`).join('\n')
}

/** The parts that every change of a manifest has. */
import type { Dice } from './dice.js'
import { columnsOf, type TableState, type World } from './world.js'

export interface Changed {
  readonly world: World
  readonly says: string
}

export interface Place {
  readonly dice: Dice
  /** Ids for what is new. */
  readonly nextId: () => number
  /** The last state that svc saw, and the last that was saved: their names are compared. */
  readonly seen: World
  readonly saved: World
  /** Names that would not say which of two things was meant. */
  readonly ambiguous: World
}

export type Change = (world: World, table: TableState, place: Place) => Changed | null

export const withTable = (world: World, table: TableState): World =>
  world.map((each) => (each.id === table.id ? table : each))

export const freeName = (
  table: TableState,
  names: readonly string[],
  { dice, seen, ambiguous }: Place,
) => {
  const same = [table, ...[...seen, ...ambiguous].filter(({ id }) => id === table.id)]
  const taken = same.flatMap((each) => [
    ...columnsOf(each).values(),
    ...each.links.map(({ name }) => name),
  ])
  const free = names.filter((name) => !taken.includes(name) && !taken.includes(`${name}_id`))
  return free.length === 0 ? null : dice.pick(free)
}

/** A field whose old name is used again cannot say that it had it. */
export const withoutFormer = (table: TableState, name: string): TableState => ({
  ...table,
  fields: table.fields.map((each) => {
    return each.renamedFrom === name ? { ...each, renamedFrom: undefined } : each
  }),
  links: table.links.map((each) => {
    return each.renamedFrom === name ? { ...each, renamedFrom: undefined } : each
  }),
})

/** In a draft, a name that is saved and one that only the draft had are both known. */
export function formerName(
  id: number,
  name: string,
  { dice, seen, saved }: Place,
): string | undefined {
  const former = [seen, saved].flatMap((world) =>
    world
      .flatMap((table) => [
        { id: table.id, name: table.key },
        ...table.fields.map((field) => ({ id: field.id, name: field.name })),
        ...table.links.map((link) => ({ id: link.id, name: link.name })),
      ])
      .filter((each) => each.id === id && each.name !== name),
  )
  const [first] = former
  return first === undefined ? undefined : (dice.isOneIn(4) ? (former.at(-1) ?? first) : first).name
}

export const withoutLink = (table: TableState, gone: number): TableState => ({
  ...table,
  links: table.links.filter(({ id }) => id !== gone),
  groups: table.groups.filter(({ columns }) => !columns.includes(gone)),
})

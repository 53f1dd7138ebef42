import type { Blueprint, Column } from '../../../../generator/blueprint/types.js'
/** Predicts the rows after a change, without SQL. */
import { kindOf } from '../../../../generator/kinds/kinds.js'
import { outcome } from '../conversion-model.js'
import { columnsOf, keyOf, type TableState, type World } from './world.js'

export interface Row {
  readonly id: unknown
  /** By id of the column. */
  readonly cells: ReadonlyMap<string, unknown>
}

/** By id of the table. */
export type Rows = ReadonlyMap<number, readonly Row[]>

export interface State {
  readonly world: World
  readonly blueprint: Blueprint
  readonly rows: Rows
}

/** Answers about rows that are in the way. */
export interface Answers {
  /** By id of the column. */
  readonly fills: ReadonlyMap<string, unknown>
  /** Values are cut where they do not fit. */
  readonly isAccepted: boolean
}

/** A cell whose exact value is for the database to choose. */
export class Left {
  constructor(readonly isRight: (actual: unknown) => boolean) {}
}

export interface Prediction {
  /** Cells are values, or `Left`. */
  readonly rows: Rows
  /** Rows whose values do not fit, by column of after: `alphas.red`. */
  readonly misfits: ReadonlyMap<string, number>
  /** Those, and columns that rows have no value for, by id. */
  readonly asking: readonly string[]
  readonly hasNulls: boolean
  readonly losses: readonly string[]
  /** Two rows are equal where that is not allowed; `maybe`: as far as it can be said. */
  readonly equal: 'no' | 'maybe' | 'yes'
}

/** `alphas.red`, as the command line says it. */
export function columnText(world: World, id: string): string {
  const found = world.flatMap((table) => {
    const name = columnsOf(table).get(id)
    return name === undefined ? [] : [`${table.key}.${name}`]
  })
  return found[0] ?? id
}

export function columnIn(blueprint: Blueprint, world: World, id: string): Column | null {
  const [key, name] = columnText(world, id).split('.')
  const entity = blueprint.entities.find((each) => each.key === key)
  return entity?.columns.find((column) => column.name === name) ?? null
}

export function predict(
  before: State,
  after: Pick<State, 'world' | 'blueprint'>,
  answers: Answers,
): Prediction {
  const misfits = new Map<string, number>()
  const asking = new Set<string>()
  let hasNulls = false
  const isSpaced = after.blueprint.database === 'postgresql'
  const keysNow = new Map(
    before.world.map(({ id, key }) => [key, keyOf(after.world, id) || key] as const),
  )

  /** Of a morph: the row belongs to a repository that has no side of it any more. */
  function isLeftRow(row: Row, morph: string): boolean {
    const key = String(row.cells.get(`${morph} type`))
    const owners = columnIn(after.blueprint, after.world, `${morph} type`)?.owners ?? []
    return owners.every(({ entity }) => entity !== (keysNow.get(key) ?? key))
  }

  function leftCell(row: Row, id: string, isType: boolean): unknown {
    const name = columnText(after.world, id.replace(' id', ' type'))
    if (answers.isAccepted) return null
    if (isType) misfits.set(name, (misfits.get(name) ?? 0) + 1)
    return row.cells.get(id)
  }

  function cellOf(row: Row, id: string, old: Column | null, now: Column): unknown {
    const value = row.cells.get(id) ?? null
    const filled = answers.fills.get(id)
    if (old === null || value === null) return emptyOf(now, old === null, id, filled)
    const [morph = '', part] = id.split(' ')
    if (part !== undefined && isLeftRow(row, morph)) return leftCell(row, id, part === 'type')
    if (now.role === 'morphType') return keysNow.get(String(value)) ?? value
    // Ids of several kinds are text.
    if (now.role === 'morphId' && old.kind === now.kind) return value
    if (now.role === 'morphId') {
      return new Left((actual) => String(actual) === String(value))
    }
    const result = now.role === 'foreign' ? undefined : outcome(old, now, value, isSpaced)
    if (result === undefined || isSameForm(old, now)) return value
    if (result !== null) return new Left(result)
    if (filled !== undefined) return filled
    const name = columnText(after.world, id)
    if (answers.isAccepted) return new Left((actual) => isLeft(actual, now))
    misfits.set(name, (misfits.get(name) ?? 0) + 1)
    asking.add(id)
    return value
  }

  function emptyOf(now: Column, isNew: boolean, id: string, filled: unknown): unknown {
    if (now.nullable) return isNew ? (now.default ?? null) : null
    if (filled !== undefined) return filled
    if (now.default !== undefined) return now.default
    hasNulls = true
    asking.add(id)
    return null
  }

  const rows = new Map(
    after.world.map((table) => {
      const columns = [...columnsOf(table).keys()].flatMap((id) => {
        const now = columnIn(after.blueprint, after.world, id)
        const old = columnIn(before.blueprint, before.world, id)
        return now === null ? [] : [{ id, now, old }]
      })
      const old = before.rows.get(table.id) ?? []
      const made = old.map((row) => ({
        id: row.id,
        cells: new Map(columns.map(({ id, old: was, now }) => [id, cellOf(row, id, was, now)])),
      }))
      return [table.id, made] as const
    }),
  )
  return {
    rows,
    misfits,
    asking: [...asking],
    hasNulls,
    losses: lossesOf(before, after.world),
    equal: equalIn(after.world, rows),
  }
}

const isSameForm = (old: Column, now: Column) =>
  JSON.stringify(formOf(old)) === JSON.stringify(formOf(now))

const formOf = ({ kind, min, max, precision, scale, options }: Column) => [
  kind,
  min,
  max,
  precision,
  scale,
  options,
]

const isLeft = (actual: unknown, now: Column) =>
  actual === null ? now.nullable : outcome(now, now, actual) !== null

function lossesOf({ world, rows }: State, after: World): readonly string[] {
  return world.flatMap((table) => {
    const now = after.find(({ id }) => id === table.id)
    const old = rows.get(table.id) ?? []
    if (now === undefined) return old.length === 0 ? [] : [`${table.key}: ${old.length}`]
    return [...columnsOf(table)].flatMap(([id, name]) => {
      const values = old.filter(({ cells }) => (cells.get(id) ?? null) !== null).length
      return columnsOf(now).has(id) || values === 0 ? [] : [`${table.key}.${name}: ${values}`]
    })
  })
}

function uniquesOf(table: TableState): readonly (readonly string[])[] {
  const alone = table.fields.flatMap(({ id, unique }) => (unique ? [[String(id)]] : []))
  const groups = table.groups.filter(({ list }) => list === 'unique')
  return [...alone, ...groups.map(({ columns }) => columns.map(String))]
}

export function equalIn(world: World, rows: Rows): Prediction['equal'] {
  let isOpen = false
  for (const table of world) {
    for (const columns of uniquesOf(table)) {
      const all = (rows.get(table.id) ?? []).map(({ cells }) =>
        columns.map((id) => cells.get(id) ?? null),
      )
      const given = all.filter((values) => !values.includes(null))
      isOpen ||=
        given.length > 1 && given.some((values) => values.some((each) => each instanceof Left))
      const exact = given.filter((values) => !values.some((each) => each instanceof Left))
      const texts = new Set(exact.map((values) => JSON.stringify(values)))
      if (texts.size < exact.length) return 'yes'
    }
  }
  return isOpen ? 'maybe' : 'no'
}

/** A value as `--fill` takes it. */
export const fillText = ({ kind }: Column, value: unknown): string =>
  ['integer', 'float', 'boolean', 'json'].includes(kindOf(kind).storage)
    ? JSON.stringify(value)
    : String(value)

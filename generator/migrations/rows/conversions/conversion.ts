import type { Database } from '../../../blueprint/types.js'
import { groupOf, type Form, type Group } from './form.js'
import { postgres } from './postgres.js'
import { sqlite } from './sqlite.js'
import { toldOf, unchanged, type Bounds, type Pair, type StoredForms } from './stored.js'

const storedForms: Readonly<Record<Database, StoredForms>> = { sqlite, postgresql: postgres }

/** The conversion of a column's values, as SQL of a column that is not NULL. */
export interface Conversion {
  /** Returns SQL that is true for a value that can be converted exactly; null: each can. */
  readonly fits: ((column: string) => string) | null
  readonly value: (column: string) => string
  /** Returns the rest of a value that does not fit; null: nothing. */
  readonly cut: ((column: string) => string) | null
  /** False: of some there is nothing left, which is NULL. */
  readonly isCutSure: boolean
  /** Statements that `fits` needs. */
  readonly prelude: string
}

/** Null: every value of the one form is the same value of the other. */
export function conversionOf(database: Database, from: Form, to: Form): Conversion | null {
  const [source, target] = [groupOf(from), groupOf(to)]
  const isHeld = holds[target](from, to)
  const stored = storedForms[database]
  const direct = stored.pairs[`${source} → ${target}`]
  const pair = direct ?? byText(stored, from, to)
  const value = (column: string) => pair.value(column, from, to)
  const { fits, cut } = pair
  if (isHeld && value('"x"') === '"x"') return null
  const asked = isHeld || fits === undefined ? null : (column: string) => fits(column, from, to)
  return {
    fits: asked,
    value,
    cut: cut === undefined || cut('"x"', from, to) === 'NULL' ? null : (x) => cut(x, from, to),
    isCutSure: direct !== undefined,
    prelude: asked?.('"x"').includes('pg_temp.') === true ? stored.prelude : '',
  }
}

/** The value as a text, and the text as a value. */
function byText({ forms, named, asJson }: StoredForms, from: Form, to: Form): Pair {
  const [source, target] = [groupOf(from), groupOf(to)]
  const [reading, writing] = [forms[source], forms[target]]
  const word = reading.word ?? reading.text
  const json = reading.json ?? ((value, form) => asJson(reading.text(value, form)))
  // Free text is no word: it is read as JSON.
  const text = target === 'text' ? reading.text : target === 'json' ? json : word
  // Passwords are nobody's to read.
  const isNone = reading.text('"x"', from) === 'NULL'
  const { cut } = writing
  const isSame = source === target && (source !== 'told' || from.kind === to.kind)
  const isAlike = isSame && from.type === to.type
  return {
    fits: (value) =>
      isNone && source !== target
        ? '1 = 0'
        : named(text(value, from), (name) => `coalesce(${writing.fits(name, to)}, 1 = 0)`),
    value: (value) =>
      isAlike
        ? unchanged(value)
        : isNone
          ? 'NULL'
          : named(text(value, from), (name) => writing.value(name, to)),
    ...(cut === undefined || cut('"x"', to) === null
      ? {}
      : { cut: (value) => named(text(value, from), (name) => cut(name, to) ?? 'NULL') }),
  }
}

/** By the form that is wanted: whether it has every value of another. */
const holds: Readonly<Record<Group, (from: Form, to: Form) => boolean>> = {
  text: (from, to) => groupOf(from) !== 'password' && isWithin(lengths(from), to),
  told: (from, to) => from.kind === to.kind && isWithin(lengths(from), lengths(to)),
  password: (from) => groupOf(from) === 'password',
  select: (from, to) => groupOf(from) === 'select' && hasOptions(from, to),
  uuid: (from) => groupOf(from) === 'uuid',
  boolean: (from) => groupOf(from) === 'boolean',
  integer: (from, to) => {
    const [before, behind] = digitsOf(from)
    return before <= 10 && behind === 0 && isWithin(boundsOf(from), to)
  },
  bigInteger: (from, to) => {
    const [before, behind] = digitsOf(from)
    const isExact = groupOf(from) === 'bigInteger' || (before <= 18 && behind === 0)
    return isExact && isWithin(boundsOf(from), to)
  },
  float: (from, to) => {
    const [before, behind] = digitsOf(from)
    const isExact = groupOf(from) === 'float' || before + behind <= 15
    return isExact && isWithin(boundsOf(from), to)
  },
  decimal: (from, to) => {
    const [before, behind] = digitsOf(from)
    const { precision = 10, scale = 2 } = to
    return before <= precision - scale && behind <= scale && isWithin(boundsOf(from), to)
  },
  date: (from) => groupOf(from) === 'date',
  dateTime: (from) => ['date', 'dateTime'].includes(groupOf(from)),
  json: (from) => !['text', 'password'].includes(groupOf(from)),
  multiSelect: (from, to) => {
    const isList = groupOf(from) === 'multiSelect' || groupOf(from) === 'select'
    const bounds = groupOf(from) === 'select' ? { min: 1, max: 1 } : from
    return isList && hasOptions(from, to) && isWithin({ min: 0, ...bounds }, to)
  },
}

const isWithin = (from: Bounds, to: Bounds) =>
  (to.min === undefined || (from.min ?? -Infinity) >= to.min) &&
  (to.max === undefined || (from.max ?? Infinity) <= to.max)

const hasOptions = (from: Form, to: Form) =>
  (from.options ?? []).every((option) => to.options?.includes(option) === true)

/** Digits before the point and behind it. */
function digitsOf(form: Form): readonly [number, number] {
  const { precision = 10, scale = 2 } = form
  const group = groupOf(form)
  if (group === 'boolean') return [1, 0]
  if (group === 'integer') return [10, 0]
  if (group === 'bigInteger') return [19, 0]
  return group === 'decimal' ? [precision - scale, scale] : [Infinity, Infinity]
}

const boundsOf = (form: Form): Bounds => (groupOf(form) === 'boolean' ? { min: 0, max: 1 } : form)

/** Returns the lengths of a value's text. */
function lengths(form: Form): Bounds {
  const { min = 0, max = Infinity, options = [], precision = 10 } = form
  const words = options.map((option) => option.length)
  const any = [0, Infinity] as const
  const group = groupOf(form)
  if (group === 'told') {
    const [shortest, longest] = toldOf(form).lengths(form)
    return { min: shortest, max: longest }
  }
  const known: Readonly<Record<Exclude<Group, 'told'>, readonly [number, number]>> = {
    text: [min, max],
    select: [Math.min(...words), Math.max(...words)],
    uuid: [36, 36],
    boolean: [4, 5],
    integer: [1, 11],
    bigInteger: [1, 20],
    float: [1, 26],
    decimal: [1, precision + 3],
    date: [10, 10],
    dateTime: [24, 24],
    json: any,
    multiSelect: any,
    password: any,
  }
  const [shortest, longest] = known[group]
  return { min: shortest, max: longest }
}

import { isUnwritable } from '../../blueprint/names/column-names.js'
import { isIdentifier, snakeCase } from '../../blueprint/names/names.js'
import { GIVEN_COLUMNS, RESERVED_FIELDS } from '../../manifest/reserved.js'
import type { FoundTable } from './catalog.js'

/**
 * Names the fields of a table, by column: the column's name, where that can be a field, and the
 * first of two that differ in case.
 */
export function fieldNames({ columns, foreign }: FoundTable): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const claim = (name: string) => {
    const isFree = !taken.has(name.toLowerCase())
    taken.add(name.toLowerCase())
    return isFree
  }
  const names = new Map(
    columns.flatMap(({ name }) =>
      nameProblem(name) === null && claim(name) ? [[name, name] as const] : [],
    ),
  )
  for (const [at, { name }] of columns.entries()) {
    if (names.has(name)) continue
    const plain = readable(name) ?? `column_${at + 1}`
    // `sold_by` is then free for the relation.
    const points = foreign.some((each) => each.columns.join() === name)
    const better = points && !/_id$/i.test(plain) ? `${plain}_id` : plain
    const numbered = columns.map((_, other) => `${better}_${other + 2}`)
    const free = [better, ...numbered].find(claim)
    if (free !== undefined) names.set(name, free)
  }
  return names
}

/** Why a column cannot be a field of its name. */
export function nameProblem(name: string): string | null {
  const folded = name.toLowerCase()
  if (!isIdentifier(name)) return 'its name cannot be a field'
  const isTaken = [...GIVEN_COLUMNS, ...RESERVED_FIELDS].some((each) => each === folded)
  return isTaken ? `svc means something else by '${folded}'` : null
}

/** Why no field can say the name of a column. */
export function columnProblem(name: string): string | null {
  const isReserved = RESERVED_FIELDS.some((each) => each !== 'pivot' && each === name.toLowerCase())
  if (isReserved) return `svc means something else by '${name.toLowerCase()}'`
  return isUnwritable(name) ? 'its name cannot be written in a migration' : null
}

/** `Order Date` → `order_date`, `2nd Größe` → `column_2nd_groesse`; null: no letter or digit of ours is in it. */
function readable(name: string): string | null {
  const plain = name
    .replaceAll(/[^\0-\x7f]/g, (letter) => spelled[letter.toLowerCase()] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  if (plain === '') return null
  const snake = snakeCase(plain)
  const whole = /^[A-Za-z]/.test(snake) ? snake : `column_${snake}`
  const short = whole.slice(0, 58).replace(/_+$/, '')
  return nameProblem(short) === null ? short : `${short}_value`
}

/** Letters that are not another one with a mark. */
const spelled: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
}

import { text } from '../../kinds/text.js'
import type { Access } from '../../model/entity.js'
import type { SortKey } from '../../model/queries.js'
import { unknownName } from '../../query/strict-queries.js'
import type { Asked } from './asked.js'
import { compareExact } from './exact.js'
import { type Group, saidOf } from './statement.js'

interface Term {
  readonly of: (group: Group) => unknown
  readonly compare: (one: unknown, other: unknown) => number
  readonly descending: boolean
}

/**
 * In the order asked for, and then by what they are grouped by: the same on both databases, text by
 * code point. NULL is last, whichever way.
 */
export function sortedGroups(groups: readonly Group[], terms: readonly Term[]): readonly Group[] {
  return groups.toSorted((one, other) => {
    for (const term of terms) {
      const found = compared(term, one, other)
      if (found !== 0) return found
    }
    return 0
  })
}

function compared({ of, compare, descending }: Term, one: Group, other: Group): number {
  const [left, right] = [of(one), of(other)]
  if (left === right) return 0
  if (left === null) return 1
  if (right === null) return -1
  return descending ? -compare(left, right) : compare(left, right)
}

/** 400 where groups have nothing of that name to be sorted by. */
export function termsOf(
  access: Access,
  { groups, selected }: Asked,
  keys: readonly SortKey[] = [],
): readonly Term[] {
  const ofGroups = groups.map(({ name, text: sent, column, period }) => {
    const of = ({ group }: Group) => group[name]
    const isNumber = period === null && numbers.has(column.kind)
    return { names: [name, sent], of, compare: isNumber ? byNumber : byValue }
  })
  const ofValues = selected.map((each) => {
    const isValue = each.place?.column.storage.isTime === true && edges.has(each.function)
    const of = (group: Group) => saidOf(group, each)
    return { names: [each.text], of, compare: isValue ? byValue : byNumber }
  })
  const all = [...ofGroups, ...ofValues]
  const asked = keys.map(({ key, descending }) => {
    const found = all.find(({ names }) => names.includes(key))
    if (found !== undefined) return { ...found, descending }
    const how = `sort these groups of ${access.entity.key} by`
    throw unknownName('sort', key, how, [...new Set(all.flatMap(({ names }) => names))])
  })
  return [...asked, ...ofGroups.map((each) => ({ ...each, descending: false }))]
}

const numbers: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])
const edges: ReadonlySet<string> = new Set(['min', 'max'])

/** Numbers, and texts of numbers of any digits. */
function byNumber(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return compareExact(String(one), String(other))
}

function byValue(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return byCodePoint(one, other)
  return Number(one) - Number(other)
}

const byCodePoint = text.key?.compare ?? ((one: string, other: string) => (one < other ? -1 : 1))

import type { Access } from '../../model/entity.js'
import { getOwn, isRecord } from '../../model/get-own.js'
import { saysNothing } from '../../query/query.js'
import type { SentFilter } from './conditions.js'
import { comparedBy, comparison, type Declared } from './declared.js'
import { type FilterTypes, findFilter } from './find-filter.js'

/** `where: { seller: { name: { startsWith: 'La' } } }`, as GraphQL has checked it. */
export function typed(access: Access, declared: Declared, where: unknown): readonly SentFilter[] {
  const { types, comparing } = declared
  if (comparing === null) return []
  const { strict } = access.entity.settings
  return testsIn(types, where).flatMap(([name, tests]) => {
    const filter = findFilter(access, types, name)
    const of = filter && comparedBy(filter)
    if (filter !== null && of !== null) {
      return Object.entries(tests).map(([word, value]) =>
        comparison(filter, word, comparing.typed(of, word, value)),
      )
    }
    if (strict !== null) throw strict.parameter(access, name, 'list')
    return []
  })
}

type Tests = Readonly<Record<string, unknown>>

/** By its name, what is tested of each column that objects below `where` lead to. */
function testsIn(types: FilterTypes, where: unknown, above = ''): readonly [string, Tests][] {
  if (!isRecord(where)) return []
  return Object.entries(where).flatMap(([key, value]): readonly [string, Tests][] => {
    const name = above + key
    if (!isRecord(value)) return []
    if (Object.keys(value).length === 0 && isKnown(types, name)) throw saysNothing(`where.${name}`)
    if (name.includes('.') && getOwn(types, name) !== undefined) return [[name, value]]
    const leads = Object.keys(types).some((each) => each.startsWith(`${name}.`))
    return leads ? testsIn(types, value, `${name}.`) : []
  })
}

const isKnown = (types: FilterTypes, name: string): boolean =>
  Object.keys(types).some((each) => each === name || each.startsWith(`${name}.`))

export const hasScan = ({ types, comparing }: Declared, where: unknown): boolean =>
  testsIn(types, where).some(([, tests]) =>
    Object.keys(tests).some((word) => comparing?.isScan(word) === true),
  )

/** A search for part of a text, or for records without related ones, scans the table. */
export function isScan(declared: Declared, match: unknown, above = '', negated = false): boolean {
  if (!isRecord(match)) return false
  return Object.entries(match).some(([key, value]) => {
    if (isRecord(value)) {
      return above === '' && key === 'not'
        ? isScan(declared, value, '', true)
        : isScan(declared, value, `${above}${key}.`, negated)
    }
    if (above === '') return false
    if (key === 'exists' && typeof value === 'boolean') return true
    const type = getOwn(declared.types, above + key)
    return type !== undefined && (negated || type === 'partial')
  })
}

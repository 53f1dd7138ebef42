import type { Access, QueryParameter } from '../model/entity.js'
import { maySee } from '../policy/access.js'
import { badParameter, type IndexQuery, type MatchValue, type ShowQuery } from './query.js'

/** The parameters that extensions read of a list, or of one record. */
export const parametersOf = ({ extensions }: Access, of: 'list' | 'record'): QueryParameter[] =>
  extensions
    .flatMap(({ parameters = [] }) => parameters)
    .filter((each) => each.of === 'both' || each.of === of)

/** A query of a list without what extensions read of it, which is in `access.parameters`. */
export function takenOfList(access: Access, query: IndexQuery): readonly [Access, IndexQuery] {
  const known = parametersOf(access, 'list')
  if (known.length === 0 || query.match === undefined) return [access, query]
  const { said, others } = readKnown(known, query.match)
  return [saying(access, said), Object.assign({}, query, { match: others })]
}

/** The same of one record. */
export function takenOfRecord(access: Access, query: ShowQuery): readonly [Access, ShowQuery] {
  const known = parametersOf(access, 'record')
  if (known.length === 0 || query.unread === undefined) return [access, query]
  const { said, others } = readKnown(known, query.unread)
  return [saying(access, said), Object.assign({}, query, { unread: others })]
}

function saying(asked: Access, parameters: ReadonlyMap<string, unknown>): Access {
  if (parameters.size === 0) return asked
  const access: Access = Object.assign({}, asked, { parameters })
  const more = access.extensions.flatMap((each) => each.shows?.(access) ?? [])
  const shown = [...asked.shown, ...more.filter((name) => maySee(access, name))]
  return Object.assign({}, access, { shown })
}

/** `filter[name]` means the column `name`, whatever parameters there are. */
function readKnown(known: readonly QueryParameter[], values: readonly MatchValue[]) {
  const said = new Map<string, unknown>()
  const others: MatchValue[] = []
  for (const value of values) {
    const parameter = value.isFilter || value.negated ? undefined : named(known, value.column)
    if (parameter === undefined) {
      others.push(value)
      continue
    }
    const read = parameter.read(value.text)
    if ('problem' in read) throw badParameter(parameter.name, read.problem)
    said.set(parameter.name, read.value)
  }
  return { said, others }
}

const named = (known: readonly QueryParameter[], name: string) =>
  known.find((each) => each.name === name)

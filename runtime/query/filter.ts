import { badRequest } from '../errors.js'
import { type Access, accessTo, maySee, maySeeEntry, reachableRows } from '../policy/access.js'
import type { Column } from '../model/columns.js'
import { combine } from '../policy/condition.js'
import type { Settings } from '../model/definition.js'
import { describe } from '../policy/parse-condition.js'
import { columnNamed, type Entity, type Link, targetOf } from '../model/entity.js'
import { isUuid } from '../model/ids.js'
import { readMatch } from './match.js'
import { own } from '../model/own.js'
import {
  type IndexQuery,
  type MatchValue,
  searchProblem,
  type SortKey,
  textProblem,
} from './parse-query.js'
import type { SortTerm } from '../operations/select.js'
import { maySeeThrough } from '../features/relations/resolve-include.js'

/** What an index narrows down to, as conditions: they compile, and hold, like a policy's. */
export async function narrowed(access: Access, query: IndexQuery): Promise<unknown[]> {
  const { match = [], search = null } = query
  const conditions = matched(access, match)
  if (search === null) return conditions
  const problem = searchProblem(search)
  if (problem !== null) throw refused('search', problem)
  return [...conditions, ...(await searched(access, search))]
}

function refused(name: string, problem: string): Error {
  const message = `The ${name} parameter ${problem}.`
  return badRequest(message, { [name]: [message] })
}

/** Parameters that are no match column are somebody else's. */
function matched(access: Access, values: readonly MatchValue[]): unknown[] {
  const { entity } = access
  return values.flatMap(({ column: name, negated, text }) => {
    const type = own(entity.definition.match, name)
    if (type === undefined || !maySee(access, name)) return []
    const problem = textProblem(text)
    if (problem !== null) throw refused(name, problem)
    const match = readMatch(columnNamed(entity, name), type, text, negated)
    if ('condition' in match) return [match.condition]
    throw refused(name, `must be ${match.problem}`)
  })
}

/**
 * Own columns, or those of a record it belongs to and that the user may see. Where there is nothing
 * to search, a search does nothing.
 */
async function searched(access: Access, text: string): Promise<unknown[]> {
  const { entity } = access
  const tests = textTests(access, entity.definition.searchable ?? [], text)
  for (const link of entity.links.values()) {
    if (link.relation.kind !== 'belongsTo' || !maySeeEntry(access, link)) continue
    const owner = accessTo(access.request, targetOf(link))
    const found = textTests(owner, link.relation.searchable, text)
    if (found.length === 0) continue
    const visible = await reachableRows(owner)
    tests.push({ [link.key]: { is: combine('all', [visible, anyOf(found)]) } })
  }
  return tests.length === 0 ? [] : [anyOf(tests)]
}

const anyOf = (conditions: readonly unknown[]) => combine('any', conditions)

function textTests(access: Access, names: readonly string[], text: string): unknown[] {
  const columns = names.filter((name) => maySee(access, name))
  return columns.map((name) => textTest(columnNamed(access.entity, name), text))
}

/** Text is found anywhere inside; a number or an id only whole; JSON never. */
function textTest({ name, kind }: Column, text: string): unknown {
  if (kind === 'integer') return /^[1-9]\d{0,8}$/.test(text) && { [name]: Number(text) }
  if (kind === 'uuid') return isUuid(text) && { [name]: text }
  return kind !== 'json' && { [name]: { folded: text } }
}

/** The order asked for, as far as it is declared; each column counts once. */
export async function sorted(
  access: Access,
  keys: readonly SortKey[],
  settings: Settings,
): Promise<SortTerm[]> {
  const terms = new Map<string, SortTerm>()
  for (const { key, descending } of keys) {
    if (terms.has(key)) continue
    const found = sortable(access, key)
    if (found !== null) terms.set(key, await sortTerm(access, key, descending, found))
    else if (settings.strictQueries) throw unknownSort(access.entity, key)
  }
  return [...terms.values()]
}

interface Sortable {
  readonly column: Column
  readonly link: Link | null
}

function sortable(access: Access, key: string): Sortable | null {
  const { entity } = access
  const [head = '', name] = key.split('.', 2)
  if (name === undefined) {
    const isDeclared = entity.definition.sort?.includes(key) === true && maySee(access, key)
    return isDeclared ? { column: columnNamed(entity, key), link: null } : null
  }
  const link = entity.links.get(head)
  if (link?.relation.kind !== 'belongsTo' || key !== `${head}.${name}`) return null
  if (!link.relation.sortable.includes(name) || !maySeeThrough(access, link, name)) return null
  return { column: columnNamed(targetOf(link), name), link }
}

async function sortTerm(
  access: Access,
  key: string,
  descending: boolean,
  { column, link }: Sortable,
): Promise<SortTerm> {
  if (link === null) return { key, column, descending, through: null }
  const target = accessTo(access.request, targetOf(link))
  const show = describe(target.entity, await reachableRows(target))
  return { key, column, descending, through: { link, show } }
}

function unknownSort({ definition, links, key: repository }: Entity, key: string): Error {
  const through = [...links.values()].flatMap(({ key: head, relation }) =>
    relation.kind === 'belongsTo' ? relation.sortable.map((name) => `${head}.${name}`) : [],
  )
  const known = [...(definition.sort ?? []), ...through].join(', ')
  const message = `There is no '${key}' to sort ${repository} by: they have ${known || 'nothing'}.`
  return badRequest(message, { sort: [message] })
}

import { badRequest, HttpError } from '../../errors.js'
import type { Access, Extension } from '../../model/entity.js'
import { bareName, parametersOf, partsOf } from '../../query/extension-parameters.js'
import { narrowed, sorted } from '../../query/filter.js'
import { parseIndexQuery, recordWords } from '../../query/parse-query.js'
import {
  badParameter,
  type IncludeNode,
  type IncludeTexts,
  type IncludeTree,
  type ListPart,
  type MatchValue,
} from '../../query/query.js'
import { boundedTree } from '../relations/bounded-tree.js'
import { accessBehind, isLink, isMorph, type MorphEntry } from '../relations/entries.js'
import { entryFor } from '../relations/resolve-include.js'

/** By path, what is asked of the records there: of `include[reviews.likes][sort]`, `sort`. */
type ByPath = ReadonlyMap<string, URLSearchParams>

/**
 * Which related records an included list has, and in what order: `include[reviews][perPage]=3`, and
 * `page`, `sort`, `search` and filters, as a list of them takes these. It includes them, too. A
 * path leads to nested ones; as many as are asked for are read per parent.
 */
export const includeArguments: Extension = {
  read: {
    asks: {
      names: ['include'],
      of: 'both',
      change: async (access, query, said) => {
        const byPath = read(said)
        // Requests have texts: who hands over a tree has said it there.
        const sent = (query.include ?? []) as IncludeTexts
        const named = [...byPath.keys()].map((path) => ['include', path] as const)
        const include = await withParts(access, boundedTree(access, [...sent, ...named]), byPath)
        return Object.assign({}, query, { include })
      },
    },
  },
}

function read(said: readonly MatchValue[]): ByPath {
  const byPath = new Map<string, URLSearchParams>()
  for (const { column, text } of said) {
    const [, named, name = '', rest = ''] =
      /^include\[([^[\],]+)\]\[([^[\]]+)\](.*)$/.exec(column) ?? []
    if (named === undefined) throw badParameter(column, 'must be include[<relation>][<parameter>]')
    const path = named
      .split('.')
      .map((each) => each.trim())
      .join('.')
    const parameters = byPath.get(path) ?? new URLSearchParams()
    parameters.append(name + rest, text)
    byPath.set(path, parameters)
  }
  return byPath
}

/** The tree with what is asked of its lists. What there is not, or not for this user, stays as it is. */
function withParts(
  access: Access,
  tree: IncludeTree,
  byPath: ByPath,
  above = '',
): Promise<IncludeTree> {
  return Promise.all(
    tree.map(async (node) => {
      const path = above + node.key
      const asked = byPath.get(path)
      const entry = entryFor(access, node.key)
      if (entry === null) return node
      if (asked !== undefined && !(isLink(entry) && !entry.toOne)) {
        throw badParameter(`include[${path}]`, 'asks for some of several, and is not of several')
      }
      if (isMorph(entry)) return withPartsOfEach(access, node, entry, byPath, path)
      if (!isLink(entry)) return node
      const behind = accessBehind(access, entry)
      const children = await withParts(behind, node.children, byPath, `${path}.`)
      if (asked === undefined) return Object.assign({}, node, { children })
      return Object.assign({}, node, { children, part: await partOf(behind, path, asked) })
    }),
  )
}

/** A record of one of several repositories: each has lists of its own. */
async function withPartsOfEach(
  access: Access,
  node: IncludeNode,
  { links }: MorphEntry,
  byPath: ByPath,
  path: string,
): Promise<IncludeNode> {
  const { columns } = node
  const each = await Promise.all(
    [...links].map(async ([type, link]) => {
      const behind = accessBehind(access, link)
      const children = await withParts(behind, node.children, byPath, `${path}.`)
      return [type, { columns, children }] as const
    }),
  )
  return Object.assign({}, node, { ofType: new Map(each) })
}

/** 400 where a list of these records would be: it names the parameter as it was sent. */
async function partOf(access: Access, path: string, asked: URLSearchParams): Promise<ListPart> {
  try {
    const others = wholeAnswer(access)
    const other = [...asked.keys()].find((name) => others.has(bareName({ column: name })))
    if (other !== undefined) throw badParameter(other, 'is asked of the whole answer alone')
    const {
      page = 1,
      perPage = null,
      search = null,
      sort = [],
      match = [],
    } = parseIndexQuery(asked)
    if (page > maxPage) throw badParameter('page', 'is too large')
    const part = { page, perPage, search, sort, match }
    await narrowed(access, part)
    await sorted(access, part)
    return part
  } catch (error) {
    throw error instanceof HttpError && error.status === 400 ? within(path, error) : error
  }
}

/** Names that mean something of a request, and nothing of one list in its answer. */
const wholeAnswer = (access: Access): ReadonlySet<string> =>
  new Set([
    ...recordWords,
    ...parametersOf(access, 'list').map(({ name }) => name),
    ...partsOf(access, 'list').flatMap(({ names }) => names),
  ])

/** The rows before it are skipped, so the number must be one that databases take. */
const maxPage = 2 ** 31 - 1

function within(path: string, { message, errors = {} }: HttpError): Error {
  const named = Object.entries(errors).map(([name, texts]) => [
    `include[${path}]${name.replace(/^([^[]+)/, '[$1]')}`,
    texts,
  ])
  return badRequest(`Of include[${path}]: ${message}`, Object.fromEntries(named))
}

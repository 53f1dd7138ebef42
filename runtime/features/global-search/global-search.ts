import type { Context } from 'hono'
import { badRequest, HttpError, unauthenticated } from '../../errors.js'
import type { ServerEnv } from '../../http/context.js'
import { prefixOf } from '../../http/prefix.js'
import { callerOf, parametersOf } from '../../http/request.js'
import { respondWith } from '../../http/respond.js'
import { budgetOf } from '../../model/budget.js'
import type { Resource } from '../../model/resource.js'
import type { AnyRepository } from '../../operations/repository.js'
import { parseIndexQuery } from '../../query/parse-query.js'
import { badParameter, type IndexQuery } from '../../query/query.js'

export interface Searched {
  readonly repository: AnyRepository
  /** A column that is shown below the title. */
  readonly subtitle?: string
}

/** A record that was found. */
interface Found {
  readonly type: string
  readonly id: string
  /** Null: it has none, or the user may not see it. */
  readonly title: string | null
  readonly subtitle: string | null
  /** The address of the record. */
  readonly link: string
}

/** Records of each repository. */
const usualPerPage = 5

/**
 * `GET /search?search=lamp&perPage=5&only=posts,users`: what each repository finds, in their order, each in one
 * statement and under its own policy. A repository of which the user sees nothing is not asked.
 */
export function globalSearch(all: readonly Searched[]) {
  const keys = all.map(({ repository }) => repository.key)
  return async (c: Context<ServerEnv<unknown>>): Promise<Response> => {
    const { only, query } = readParameters(c.req.url, keys)
    const path = (prefixOf(c) + c.req.path).replace(/\/search$/, '')
    const caller = callerOf(c)
    const asked = all.filter(({ repository }) => only.includes(repository.key))
    const [first] = asked
    // All answers share one budget, whichever repository they are of.
    const budget = first && budgetOf(first.repository.definition, { caller })
    const data: Found[] = []
    let closed: HttpError | null = null
    let isAnyOpen = false
    for (const each of asked) {
      const columns = columnsOf(each)
      const wanted: IndexQuery = Object.assign({}, query, { columns, budget, caller })
      const found = await listed(each, c.get('user'), wanted).catch((error: unknown) => {
        // A guest who sees nothing here may see something elsewhere.
        if (!(error instanceof HttpError) || error.status !== 401) throw error
        closed = error
        return null
      })
      if (found === null) continue
      isAnyOpen = true
      data.push(...found.map((resource) => foundIn(each, resource, path)))
    }
    if (closed !== null && !isAnyOpen) throw closed
    return respondWith(c, { data })
  }
}

/** As at the address of its own: without a token, only what is public has anything to show. */
async function listed(
  { repository }: Searched,
  user: unknown,
  query: IndexQuery,
): Promise<readonly Resource[]> {
  const { isPublic = false, settings } = repository.definition
  const isStranger = (user ?? null) === null && settings.requiresToken
  if (isStranger && !isPublic) throw unauthenticated()
  return repository.list(user, query)
}

const columnsOf = ({ repository: { definition }, subtitle }: Searched): string[] =>
  [definition.title, subtitle].filter((name) => name !== undefined)

function foundIn(
  { repository: { definition }, subtitle }: Searched,
  { type, id, attributes }: Resource,
  path: string,
): Found {
  const textOf = (name: string | undefined) => {
    const value = name === undefined ? null : (attributes[name] ?? null)
    return value === null ? null : String(value)
  }
  return {
    ...{ type, id, title: textOf(definition.title), subtitle: textOf(subtitle) },
    link: `${path}/${type}/${encodeURIComponent(id)}`,
  }
}

const names = ['search', 'perPage', 'only']

/** 400 for what it does not know, whatever the config says of strange parameters. */
function readParameters(url: string, keys: readonly string[]) {
  const sent = parametersOf(url)
  for (const name of new Set(sent.keys())) {
    const known = name.replace(/\[\]$/, '')
    if (!names.includes(known)) {
      throw badParameter(name, `is not known here. Known: ${names.join(', ')}`)
    }
    if (known !== 'only' && (known !== name || sent.getAll(name).length > 1)) {
      throw badParameter(known, 'takes one value')
    }
  }
  const listed = new URLSearchParams()
  for (const name of ['search', 'perPage']) {
    const text = sent.get(name)
    if (text !== null) listed.set(name, text)
  }
  const { search, perPage } = parseIndexQuery(listed)
  if (!search) throw badParameter('search', 'is required: the text to find')
  const size = { perPage: perPage ?? usualPerPage }
  const query: IndexQuery = { search, ...size, withoutMeta: true, isOneOfMany: true }
  return { query, only: onlyOf(sent, keys) }
}

function onlyOf(sent: URLSearchParams, keys: readonly string[]): readonly string[] {
  if (!sent.has('only') && !sent.has('only[]')) return keys
  const texts = [...sent.getAll('only'), ...sent.getAll('only[]')]
  const named = texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  const strange = named.find((key) => !keys.includes(key))
  if (strange === undefined) return named
  const message = `The only parameter names '${strange}', and knows ${keys.join(', ')}.`
  throw badRequest(message, { only: [message] })
}

/** Requests that bring about each status that the document has of an operation. */
import fc from 'fast-check'
import { runs } from '../../support/runs.js'
import type { Operation, Parts, Sent } from './contract-parts.js'

export interface Answered {
  readonly status: number
  readonly text: string
  readonly etag: string | null
}

/** Sends a request as a user; its answer must be what the document says. */
export type Ask = (operation: Operation, sent: Partial<Sent>) => Promise<Answered>

/** What the document has and no request here can bring about, and why. */
export const notFromOutside: readonly (readonly [what: RegExp, why: string])[] = [
  [/ 429$/, 'tests raise the limit of attempts'],
  [/^ready 503$/, 'the database stays where it is'],
  [/^(resetPassword|verifyEmail) 200$/, 'the token is in a mail'],
]

/** Of lists that are asked for to find what is there. */
export const perPage = '?perPage=60'

type Requests = AsyncGenerator<Partial<Sent>>

/** Asks until some request is answered with the status. */
export async function provoke(
  parts: Parts,
  operation: Operation,
  status: number,
  ask: Ask,
): Promise<void> {
  let left = 60
  for await (const sent of requestsFor(parts, operation, status, ask)) {
    left -= 1
    if (left === 0 || (await ask(operation, sent)).status === status) return
  }
}

async function* requestsFor(
  parts: Parts,
  operation: Operation,
  status: number,
  ask: Ask,
): Requests {
  const json = { 'content-type': 'application/json' }
  if (status === 400) {
    yield { body: operation.body === null ? null : '{', headers: json }
    yield { path: { id: '%E0%A4%A', relatedId: '1' } }
    yield { headers: { ...json, 'if-match': '"1"' } }
    yield* some(parts.spoiled(operation), 40)
  } else if (status === 404) {
    for (const id of ['2147483647', '00000000-0000-4000-8000-000000000000']) {
      for (const sent of right(parts, operation)) yield { ...sent, path: { id, relatedId: id } }
    }
  } else if (status === 401 && operation.id !== 'login') {
    const [{ body = null } = {}] = right(parts, operation)
    const headers = { ...json, authorization: 'Bearer 1|wrong' }
    yield { body, headers, path: { id: '1', relatedId: '1' } }
  } else if (status === 413) {
    yield { body: '{}', headers: { ...json, 'content-length': '999999999' } }
  } else if (status === 415) {
    yield { body: '{}', headers: { 'content-type': 'text/plain' } }
  } else if (status === 304) {
    yield { headers: { 'if-none-match': (await ask(operation, {})).etag ?? '' } }
  } else if (['login', 'changePassword'].includes(operation.id) && status === 200) {
    yield* asRegistered(parts, operation, ask)
  } else {
    yield* onRecords(parts, operation, status, ask)
  }
}

/** Equal samples at each run, but for many runs. */
const some = <Value>(arbitrary: fc.Arbitrary<Value>, numRuns: number) =>
  fc.sample(arbitrary, { numRuns, ...(runs(1) > 1 ? {} : { seed: numRuns }) })

/** Without its path and its query. */
function right(parts: Parts, operation: Operation): readonly Partial<Sent>[] {
  const count = operation.body === null ? 1 : 12
  return some(parts.right(operation), count).map(({ body, headers }) => ({ body, headers }))
}

async function* onRecords(parts: Parts, operation: Operation, status: number, ask: Ask): Requests {
  const all = await pathsOf(parts, operation, ask)
  if (status === 422) {
    const [path = {}] = all
    for (const sent of some(parts.spoiled(operation), 40)) {
      if (sent.what === 'body') yield { ...sent, query: '', path }
    }
    for (const { body, headers = {} } of right(parts, operation)) {
      const wrong = Object.keys(JSON.parse(body ?? '{}')).map((name) => [name, {}])
      yield { path, headers, body: JSON.stringify(Object.fromEntries(wrong)) }
    }
    return
  }
  if (status === 409) await pointAt(parts, operation, all, ask)
  const bodies = right(parts, operation)
  const referred = operation.body === null ? new Map() : await referencesIn(parts, ask)
  for (let at = 0; at < Math.max(bodies.length, all.length) && all.length > 0; at += 1) {
    const sent = bodies[at % bodies.length] ?? {}
    yield {
      ...sent,
      path: all[at % all.length] ?? {},
      body: pointed(sent.body ?? null, referred, at),
    }
  }
}

/** Ids that `post_id` and `users` of a body may name, by these names. */
type References = ReadonlyMap<string, readonly string[]>

async function referencesIn(parts: Parts, ask: Ask): Promise<References> {
  const ids = new Map<string, readonly string[]>()
  for (const key of parts.keys) ids.set(key, (await idsAt(parts, `/api/svc/${key}`, {}, ask)) ?? [])
  return new Map([...parts.references].map(([name, key]) => [name, ids.get(key) ?? []]))
}

/** A body whose references name records that are there: at first the newest, which nothing refers to. */
function pointed(body: string | null, referred: References, at: number): string | null {
  if (body === null) return null
  const changed = Object.entries(JSON.parse(body)).map(([name, value]) => {
    const known = referred.get(name) ?? []
    if (value === null || known.length === 0) return [name, value]
    const id = known[at % known.length]
    return [name, Array.isArray(value) ? [id] : id]
  })
  return JSON.stringify(Object.fromEntries(changed))
}

/** Somebody whose password is known. */
async function* asRegistered(parts: Parts, operation: Operation, ask: Ask): Requests {
  const register = parts.contract.operations.find(({ id }) => id === 'register')
  if (register === undefined) return
  for (const sent of right(parts, register)) {
    const { status, text } = await ask(register, sent)
    if (status !== 200) continue
    const { email, password } = JSON.parse(sent.body ?? '{}')
    const next = { password: 'another password', password_confirmation: 'another password' }
    const body =
      operation.id === 'login' ? { email, password } : { current_password: password, ...next }
    const authorization = `Bearer ${JSON.parse(text).meta.token}`
    yield {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization },
    }
  }
}

/** Ids of records that are there, the newest first; below a record, of some that are its own. */
async function pathsOf(
  parts: Parts,
  { path }: Operation,
  ask: Ask,
): Promise<readonly Sent['path'][]> {
  if (!path.includes('{')) return [{}]
  const [list = ''] = path.split('/{id}')
  const ids = await idsAt(parts, list, {}, ask)
  if (ids === null) return [{ id: '1', emailHash: 'wrong' }]
  if (!path.includes('{relatedId}')) return ids.map((id) => ({ id }))
  const all: Sent['path'][] = []
  for (const id of ids) {
    const relatedIds = await idsAt(parts, path.replace('/{relatedId}', ''), { id }, ask)
    all.push(...(relatedIds ?? []).map((relatedId) => ({ id, relatedId })))
    if (all.length > 8) break
  }
  return all
}

/** Null: there is no such list. */
async function idsAt(parts: Parts, path: string, ids: Sent['path'], ask: Ask) {
  if (!parts.contract.operations.some(isListAt(path))) return null
  return (await recordsAt(parts, path, ids, ask)).map(({ id }) => String(id))
}

const isListAt = (path: string) => (each: Operation) => each.method === 'GET' && each.path === path

interface Shown {
  /** Of a token, a number. */
  readonly id: string | number
}

async function recordsAt(
  parts: Parts,
  path: string,
  ids: Sent['path'],
  ask: Ask,
): Promise<readonly Shown[]> {
  const list = parts.contract.operations.find(isListAt(path))
  if (list === undefined) return []
  const isPaged = list.parameters.some((each) => each.name === 'perPage')
  const { status, text } = await ask(list, { path: ids, query: isPaged ? perPage : '' })
  return status === 200 ? JSON.parse(text).data : []
}

/** Puts one of these records below the other, or makes one there: its path. */
export async function putBelow(
  parts: Parts,
  path: string,
  { id, relatedId }: { readonly id: string; readonly relatedId: string },
  ask: Ask,
): Promise<Sent['path']> {
  const list = path.replace('/{relatedId}', '')
  const [above = '', relation = ''] = list.split('/{id}/')
  const at = (method: string, place: string) =>
    parts.contract.operations.find((each) => each.method === method && each.path === place)
  const headers = { 'content-type': 'application/json' }
  const store = at('POST', list)
  const referred = await referencesIn(parts, ask)
  for (const [number, sent] of (store === undefined ? [] : right(parts, store)).entries()) {
    if (store === undefined) break
    const body = pointed(sent.body ?? null, referred, number)
    const { status, text } = await ask(store, { path: { id }, headers, body })
    if (status === 201) return { id, relatedId: String(JSON.parse(text).data.id) }
  }
  const attach = at('POST', `${above}/{id}/attach/${relation}`)
  for (const sent of attach === undefined ? [] : right(parts, attach)) {
    if (attach === undefined) break
    const body = JSON.stringify({ ...JSON.parse(sent.body ?? '{}'), [relation]: [relatedId] })
    if ((await ask(attach, { path: { id }, headers, body })).status === 201) break
  }
  const column = parts.columns.get(`${above.split('/').at(-1)}/${relation}`)
  const patch = at('PATCH', `${above}/{id}`)
  if (column !== undefined && patch !== undefined) {
    await ask(patch, { path: { id }, headers, body: JSON.stringify({ [column]: relatedId }) })
  }
  return { id, relatedId }
}

/** Records that belong to those that are to be deleted. */
async function pointAt(parts: Parts, { path }: Operation, all: readonly Sent['path'][], ask: Ask) {
  const [, above = '', key = ''] = /^\/api\/svc\/([^/]+)\/\{id\}\/([^/]+)/.exec(path) ?? []
  const target = parts.targets.get(`${above}/${key}`)
  const stores = parts.contract.operations.filter(({ method, path: at }) => {
    return method === 'POST' && below.test(at) && at.startsWith(`/api/svc/${target}/{id}/`)
  })
  const referred = await referencesIn(parts, ask)
  for (const { relatedId = '' } of all.slice(0, 2)) {
    for (const store of stores) {
      for (const [at, sent] of right(parts, store).entries()) {
        const body = pointed(sent.body ?? null, referred, at)
        const { status } = await ask(store, { ...sent, body, path: { id: relatedId } })
        if (status === 201) break
      }
    }
  }
}

/** Records of every repository, and some below each that can have them or points at them. */
export async function makePlenty(parts: Parts, ask: Ask, makeRows: () => Promise<void>) {
  await makeRows()
  const { operations } = parts.contract
  for (const operation of operations) {
    const { method, path } = operation
    const makes = method === 'POST' && below.test(path)
    if (makes) await provoke(parts, operation, 201, ask)
    const points = method === 'PATCH' && /^\/api\/svc\/[^/]+\/\{id\}$/.test(path)
    if (points)
      for await (const sent of onRecords(parts, operation, 200, ask)) await ask(operation, sent)
  }
}

const below = /^\/api\/svc\/[^/]+\/\{id\}\/(attach\/)?[^/]+$/

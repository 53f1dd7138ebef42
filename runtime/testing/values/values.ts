import { describe, expect, onTestFinished, test } from 'vitest'
import type { Resource } from '../../model/resource.js'
import { listIds, read, somebody, type Client, type Send } from '../client.js'
import type { Edges, Row, Tested, Values } from '../tested.js'
import { inUrl, type Asked } from './asked.js'
import { doorsOf, type LoadPrisma, type Write } from './doors.js'
import { testFields } from './fields.js'
import { expectInGraphql, listInGraphql } from './graphql.js'
import { descending, idsOf, isAskable, isFound, pick, rowsOf, type Written } from './records.js'

interface Facts<User> extends Client<User> {
  readonly repositories: readonly Tested<User>[]
  readonly loadPrisma: LoadPrisma
  /** Lists of GraphQL are sorted and matched as those of REST. */
  readonly hasGraphqlLists?: boolean
}

/** No value is lost or changed, whichever way it came, and each is sorted and found as what it is. */
export function testValues<User extends Row>({
  repositories,
  loadPrisma,
  hasGraphqlLists = false,
  ...client
}: Facts<User>): void {
  const filled = new Map<unknown, Values>()
  for (const entry of repositories) openUp(entry, filled)
  describe.each(repositories)('$key', (entry) => {
    testFields(entry, client)
    test.each(doorsOf(loadPrisma, filled))(
      'keeps, sorts and finds what came through %s',
      // Each value is a request or more, and a busy machine takes long.
      { timeout: 120_000 },
      async (_door, write) => {
        const { send } = await somebody(client)
        const records = await writeAll(entry, write, send)
        const list = listOf(entry, send, hasGraphqlLists)
        for (const name of Object.keys(entry.fields)) {
          const having = records.filter(({ values }) => Object.hasOwn(values, name))
          await expectSorted(entry, name, having, list)
          await expectFound(entry, name, having, list)
        }
      },
    )
  })
}

const allow = () => true

/** It is about values alone: everybody may do everything, and no hook runs but one that fills what no body writes. */
function openUp({ repository, fields }: Edges, filled: ReadonlyMap<unknown, Values>): void {
  const canStore = Object.fromEntries(Object.keys(fields).map((name) => [name, allow]))
  const policy = { show: allow, store: allow, update: allow, delete: allow, canStore }
  const hooks = { beforeStore: () => filled.get(repository) }
  Object.assign(repository.definition, { policy, hooks })
}

/** Writes every row of edges, and looks at what both surfaces show of it. */
async function writeAll(entry: Edges, write: Write, send: Send): Promise<readonly Written[]> {
  const path = `/api/svc/${entry.repository.key}`
  const records: Written[] = []
  for (const values of rowsOf(entry)) {
    const id = await write(entry, values, send)
    records.push({ id, values })
    onTestFinished(async () => void (await send('DELETE', `${path}/${id}`)))
    const { data } = await read<{ data: Resource }>(await send('GET', `${path}/${id}`))
    expect(pick(data.attributes, values)).toEqual(values)
    if (entry.query != null) await expectInGraphql(entry.query, id, values, send)
  }
  return records
}

/** Ids of those among some records that a list has, in its order. */
type List = (asked: Asked, among: readonly Written[]) => Promise<readonly string[]>

function listOf({ repository, query }: Edges, send: Send, hasGraphqlLists: boolean): List {
  return async (asked, among) => {
    const isMeant = (id: string) => among.some((one) => one.id === id)
    const path = `/api/svc/${repository.key}?${inUrl(asked)}`
    const ids = (await listIds(send, path)).filter(isMeant)
    if (query != null && hasGraphqlLists) {
      const same = await listInGraphql(query, asked, send)
      expect(same.filter(isMeant), `in GraphQL, ${inUrl(asked)}`).toEqual(ids)
    }
    return ids
  }
}

async function expectSorted(
  { sort }: Edges,
  name: string,
  having: readonly Written[],
  list: List,
): Promise<void> {
  if (!sort.includes(name)) return
  expect(await list({ sort: name }, having)).toEqual(idsOf(having))
  expect(await list({ sort: `-${name}` }, having)).toEqual(idsOf(descending(having, name)))
}

async function expectFound(
  { match }: Edges,
  name: string,
  having: readonly Written[],
  list: List,
): Promise<void> {
  const said = Object.hasOwn(match, name) ? match[name] : undefined
  if (said === undefined) return
  // Options are texts.
  const type = typeof said === 'string' ? said : 'text'
  const asked = having.map(({ values }) => values[name])
  for (const value of asked.filter((each) => isAskable(type, each))) {
    const found = having.filter(({ values }) => isFound(type, value, values[name]))
    const isPair = type === 'between' && value !== null
    const text = isPair ? [value, value].join(',') : String(value)
    const ids = await list({ column: name, text }, having)
    expect(ids.toSorted(), `${name}=${text}`).toEqual(idsOf(found).toSorted())
  }
}

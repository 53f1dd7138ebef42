/** Random upserts of one record and of many, among other writes, REST and GraphQL mixed, leave what a model in memory says, or nothing at all. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/features/upsert/manifests/model.ts',
  policies: {
    Part: {
      show: '(user) => any({ owner_id: user?.id }, { is_open: true })',
      store: '() => ({ qty: { lt: 100 } })',
      update: '(user) => ({ owner_id: user?.id, qty: { lt: 100 } })',
      delete: '(user) => ({ owner_id: user?.id })',
    },
  },
}

interface Item {
  readonly id: string
  readonly code: string
  readonly title: string
  readonly qty: number
  readonly isOpen: boolean
  readonly version: number
  readonly owner: number
}

const who = fc.constantFrom('ann', 'ann', 'bob')
const door = fc.constantFrom('rest', 'graphql')
const code = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
/** Some have no key, some no title, and some what the policy does not admit. */
const row = fc.record({
  code: fc.oneof({ weight: 20, arbitrary: code }, fc.constant(null)),
  title: fc.option(fc.constantFrom('x', 'y'), { nil: undefined, freq: 5 }),
  qty: fc.option(fc.constantFrom(1, 2, 3, 1, 2, 3, 100), { nil: undefined }),
  is_open: fc.option(fc.boolean(), { nil: undefined }),
  said: fc.constantFrom('none', 'none', 'none', 'none', 'this', 'older'),
})
interface Given {
  readonly code: string | null
  readonly title?: string | undefined
  readonly qty?: number | undefined
  readonly is_open?: boolean | undefined
  readonly said: string
}

const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('one' as const), who, door, row }) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ kind: fc.constant('many' as const), who, door },
      rows: fc.oneof(
        {
          weight: 9,
          arbitrary: fc.uniqueArray(row, {
            selector: (each) => each.code,
            ...{ minLength: 1, maxLength: 4 },
          }),
        },
        fc.array(row, { minLength: 1, maxLength: 4 }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('store' as const), who, code }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('patch' as const), who, code, to: code }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), who, code }) },
)
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never
type Of<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>

/** A status, and the fields or places that are named; null: some. */
interface Fails {
  readonly status: number
  readonly places: readonly string[] | null
}
type Expected =
  | { readonly items: readonly Item[]; readonly areNew?: readonly boolean[] }
  | { readonly fails: Fails }

const fails = (status: number, places: readonly string[] | null): Expected => ({
  fails: { status, places },
})

const withCode = (items: readonly Item[], code: string | null) =>
  items.find((each) => each.code === code)

/** The record with that key, if this user sees it. */
function seen(items: readonly Item[], code: string | null, owner: number): Item | undefined {
  const item = withCode(items, code)
  return item !== undefined && (item.owner === owner || item.isOpen) ? item : undefined
}

const isLarge = ({ qty = 1 }: Given) => qty >= 100

const changed = (item: Item, { title, qty, is_open: isOpen }: Given): Item => ({
  ...item,
  ...(title === undefined ? {} : { title }),
  ...(qty === undefined ? {} : { qty }),
  ...(isOpen === undefined ? {} : { isOpen }),
  version: item.version + 1,
})

const made = ({ code, title = '', qty = 1, is_open: isOpen = false }: Given, owner: number) => ({
  ...{ id: '?', code: String(code), title, qty, isOpen, version: 1, owner },
})

const replaced = (items: readonly Item[], item: Item) =>
  items.map((each) => (each.id === item.id ? item : each))

function upserting(items: readonly Item[], given: Given, owner: number): Expected {
  if (given.code === null) return fails(422, ['code'])
  const item = seen(items, given.code, owner)
  if (item === undefined) {
    if (given.said !== 'none') return fails(412, [])
    if (given.title === undefined) return fails(422, ['title'])
    if (isLarge(given)) return fails(403, [])
    if (withCode(items, given.code) !== undefined) return fails(422, ['code'])
    return { items: [...items, made(given, owner)], areNew: [true] }
  }
  if (item.owner !== owner) return fails(403, [])
  if (given.said === 'older') return fails(412, [])
  if (isLarge(given)) return fails(403, [])
  return { items: replaced(items, changed(item, given)), areNew: [false] }
}

function upsertingMany(items: readonly Item[], rows: readonly Given[], owner: number): Expected {
  const places = (isWrong: (given: Given, at: number) => boolean, field: string) =>
    rows.flatMap((given, at) => (isWrong(given, at) ? [`${at}.${field}`] : []))
  const codes = rows.map((each) => each.code)
  const keys = places((given, at) => given.code === null || codes.indexOf(given.code) < at, 'code')
  if (keys.length > 0) return fails(422, keys)
  const known = (given: Given) => seen(items, given.code, owner)
  const isNew = (given: Given) => known(given) === undefined
  const gone = places((given) => isNew(given) && given.said !== 'none', 'version')
  if (gone.length > 0) return fails(409, gone)
  const theirs = places((given) => !isNew(given) && known(given)?.owner !== owner, 'id')
  if (theirs.length > 0) return fails(403, theirs)
  const stale = places((given) => !isNew(given) && given.said === 'older', 'version')
  if (stale.length > 0) return fails(409, stale)
  const untitled = places((given) => isNew(given) && given.title === undefined, 'title')
  if (untitled.length > 0) return fails(422, untitled)
  const large = places((given) => !isNew(given) && isLarge(given), 'id')
  if (large.length > 0) return fails(403, large)
  const denied = places((given) => isNew(given) && isLarge(given), 'id')
  if (denied.length > 0) return fails(403, denied)
  const hidden = places(
    (given) => isNew(given) && withCode(items, given.code) !== undefined,
    'code',
  )
  if (hidden.length > 0) return fails(422, hidden)
  const now = rows.reduce((all, given) => {
    const item = known(given)
    return item === undefined ? all : replaced(all, changed(item, given))
  }, items)
  const news = rows.filter(isNew).map((given) => made(given, owner))
  return { items: [...now, ...news], areNew: rows.map(isNew) }
}

function patching(items: readonly Item[], { code, to }: Of<'patch'>, owner: number): Expected {
  const item = seen(items, code, owner)
  if (item === undefined) return fails(404, [])
  if (item.owner !== owner) return fails(403, [])
  const other = withCode(items, to)
  if (other !== undefined && other !== item) return fails(422, ['code'])
  return { items: replaced(items, { ...item, code: to, version: item.version + 1 }) }
}

function expected(items: readonly Item[], step: Step, owner: number): Expected {
  switch (step.kind) {
    case 'one':
      return upserting(items, step.row, owner)
    case 'many':
      return upsertingMany(items, step.rows, owner)
    case 'store': {
      if (withCode(items, step.code) !== undefined) return fails(422, ['code'])
      const given = { code: step.code, title: 's', qty: 1, is_open: true, said: 'none' }
      return { items: [...items, made(given, owner)] }
    }
    case 'patch':
      return patching(items, step, owner)
    case 'delete': {
      const item = seen(items, step.code, owner)
      if (item === undefined) return fails(404, [])
      if (item.owner !== owner) return fails(403, [])
      return { items: items.filter((each) => each !== item) }
    }
  }
}

const statuses: Readonly<Record<string, number>> = {
  ...{ VALIDATION_FAILED: 422, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409 },
  PRECONDITION_FAILED: 412,
}

interface Said {
  readonly status: number
  readonly places: readonly string[]
  readonly created: unknown
}

describe.each(databases)('random upserts on %s', (name) => {
  let project: Project
  const people: Record<string, number> = {}
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    people['ann'] = await project.user('Ann')
    people['bob'] = await project.user('Bob')
  })
  afterAll(() => project.close())

  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  const columns = 'id, code, title, qty, is_open, version, owner_id'
  const stored = async (): Promise<readonly Item[]> =>
    (await run(`select ${columns} from parts order by id`)).map(([id, ...rest]) => ({
      ...{ id: String(id), code: String(rest[0]), title: String(rest[1]), qty: Number(rest[2]) },
      ...{ isOpen: Boolean(rest[3]), version: Number(rest[4]), owner: Number(rest[5]) },
    }))

  const api = '/api/svc/parts'
  const versionOf = (items: readonly Item[], { code, said }: Given) => {
    const version = withCode(items, code)?.version ?? 1
    return said === 'older' ? version - 1 : version
  }
  const bodyOf = ({ code, title, qty, is_open }: Given) => ({ code, title, qty, is_open })
  const rowOf = (items: readonly Item[], given: Given) => ({
    ...bodyOf(given),
    ...(given.said === 'none' ? {} : { version: versionOf(items, given) }),
  })

  const sent = async (method: string, path: string, body: unknown, as: number, tag?: string) => {
    const headers = { 'Content-Type': 'application/json', ...(tag && { 'If-Match': tag }) }
    const text = body === null ? {} : { body: JSON.stringify(body) }
    const answer = await project.request(method, path, { as, headers, ...text })
    const { errors = {}, meta = {} } = answer.body ?? {}
    return { status: answer.status, places: Object.keys(errors), created: meta.created }
  }
  const asked = async (mutation: string, input: unknown, as: number): Promise<Said> => {
    const { body } = await project.post('/graphql', { query: mutation, variables: { input } }, as)
    const { code: failure, errors = {} } = body.errors?.[0].extensions ?? {}
    const status = failure === undefined ? 200 : (statuses[failure] ?? 500)
    return { status, places: Object.keys(errors), created: undefined }
  }

  const send = (step: Step, items: readonly Item[]): Promise<Said> => {
    const as = people[step.who] ?? 0
    const at = (code: string) => `${api}/${withCode(items, code)?.id ?? '99999999'}`
    switch (step.kind) {
      case 'one': {
        if (step.door === 'graphql') {
          const mutation =
            'mutation ($input: PartUpsertInput!) { it: upsertPart(by: code, input: $input) { id } }'
          return asked(mutation, rowOf(items, step.row), as)
        }
        const tag = step.row.said === 'none' ? undefined : `"${versionOf(items, step.row)}"`
        return sent('POST', `${api}?upsertBy=code`, bodyOf(step.row), as, tag)
      }
      case 'many': {
        const bodies = step.rows.map((each) => rowOf(items, each))
        const mutation =
          'mutation ($input: [PartUpsertInput!]!) { it: upsertPartList(by: code, input: $input) { id } }'
        return step.door === 'graphql'
          ? asked(mutation, bodies, as)
          : sent('POST', `${api}/bulk?upsertBy=code`, bodies, as)
      }
      case 'store':
        return sent('POST', api, { code: step.code, title: 's', is_open: true }, as)
      case 'patch':
        return sent('PATCH', at(step.code), { code: step.to }, as)
      case 'delete':
        return sent('DELETE', at(step.code), null, as)
    }
  }

  it('are done as the model says, or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 14 }), async (all) => {
        await run('delete from parts')
        for (const [at, each] of ['a', 'b', 'c', 'd'].entries()) {
          const owner_id = at % 2 === 0 ? people['ann'] : people['bob']
          const more = { title: 'first', qty: 1, is_open: at > 1, version: 1, owner_id }
          await project.insert('parts', { code: each, ...more })
        }
        for (const step of all) {
          const before = await stored()
          const wanted = expected(before, step, people[step.who] ?? 0)
          const said = await send(step, before)
          const after = await stored()
          if ('fails' in wanted) {
            const { status, places } = wanted.fails
            expect([said.status, places === null ? null : said.places]).toEqual([status, places])
            expect(after).toEqual(before)
            continue
          }
          expect(said.status).toBeLessThan(300)
          const { items, areNew } = wanted
          const isNew = ({ id }: Item) => !before.some((each) => each.id === id)
          expect(after.map((each) => (isNew(each) ? { ...each, id: '?' } : each))).toEqual(items)
          const isTold = areNew !== undefined && 'door' in step && step.door === 'rest'
          if (!isTold) continue
          expect(said.created).toEqual(step.kind === 'one' ? areNew[0] : areNew)
          expect(said.status).toBe(areNew.every(Boolean) ? 201 : 200)
        }
      }),
      { numRuns: runsOn(name, 40) },
    )
  })
})

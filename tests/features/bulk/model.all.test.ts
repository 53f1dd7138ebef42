/** Random writes of one record and of many, REST and GraphQL mixed, leave what a model in memory says, or nothing at all. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/features/bulk/manifests/model.ts',
  policies: {
    Part: {
      store: '() => ({ qty: { lt: 100 } })',
      update: '(user) => ({ owner_id: user?.id, qty: { lt: 100 } })',
      delete: '(user) => ({ owner_id: user?.id })',
    },
  },
}

interface Item {
  readonly id: string
  readonly code: string
  readonly qty: number
  readonly version: number
  readonly owner: number
}

const who = fc.constantFrom('ann', 'ann', 'bob')
const door = fc.constantFrom('rest', 'graphql')
const code = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')
/** Some are no code, and some quantities are what the policy does not admit. */
const newOne = fc.record({
  code: fc.oneof({ weight: 14, arbitrary: code }, fc.constant(null)),
  qty: fc.oneof({ weight: 14, arbitrary: fc.constantFrom(1, 2) }, fc.constant(100)),
})
const others = 80
const nobodys = 90
const change = fc.record({
  /** One's own, in their order; seldom somebody else's, or nobody's. */
  pick: fc.oneof({ weight: 40, arbitrary: fc.nat(7) }, fc.constantFrom(others, nobodys)),
  code: fc.oneof({ weight: 20, arbitrary: fc.option(code, { nil: undefined }) }, fc.constant(null)),
  qty: fc.option(fc.constantFrom(1, 2, 3, 1, 2, 3, 1, 2, 3, 100), { nil: undefined, freq: 3 }),
  said: fc.constantFrom('none', 'none', 'none', 'this', 'this', 'this', 'older'),
})
const list = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 4 })
/** Mostly of different records. */
const changes = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.uniqueArray(change, { selector: ({ pick }) => pick, minLength: 1, maxLength: 5 }),
  },
  list(change),
)

const steps = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('store' as const), who, door, rows: list(newOne) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('patch' as const), who, door, rows: changes }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), who, door, rows: changes }),
  },
)
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never
type Of<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>

/** A status, and the places that are named; null: some, which depends on what the database took first. */
type Expected = { readonly items: readonly Item[] } | { readonly fails: Fails }
interface Fails {
  readonly status: readonly number[]
  readonly places: readonly string[] | null
}

const fails = (status: number, places: readonly string[]): Expected => ({
  fails: { status: [status], places },
})
const placesOf = <Value>(
  rows: readonly Value[],
  isWrong: (row: Value, at: number) => boolean,
  field: string,
) => rows.flatMap((row, at) => (isWrong(row, at) ? [`${at}.${field}`] : []))

function storing(items: readonly Item[], { rows }: Of<'store'>, owner: number): Expected {
  const missing = placesOf(rows, (row) => row.code === null, 'code')
  if (missing.length > 0) return fails(422, missing)
  const large = placesOf(rows, ({ qty }) => qty >= 100, 'id')
  if (large.length > 0) return fails(403, large)
  const taken = new Set(items.map((each) => each.code))
  const clashes = placesOf(
    rows,
    (row) => {
      const isTaken = taken.has(String(row.code))
      taken.add(String(row.code))
      return isTaken
    },
    'code',
  )
  if (clashes.length > 0) return fails(422, clashes)
  const made = rows.map((row) => ({ ...row, id: '?', code: String(row.code), version: 1, owner }))
  return { items: [...items, ...made] }
}

function itemOf(items: readonly Item[], pick: number, owner: number): Item | undefined {
  const own = items.filter((each) => (each.owner === owner) === pick < others)
  return pick === nobodys ? undefined : own[pick % Math.max(own.length, 1)]
}

const idOf = (items: readonly Item[], pick: number, owner: number) =>
  itemOf(items, pick, owner)?.id ?? String(90_000 + pick)

/** Returns the error of a request that names these records. */
function naming(
  items: readonly Item[],
  rows: Of<'patch' | 'delete'>['rows'],
  owner: number,
  place: (all: readonly string[]) => readonly string[],
): Expected | null {
  const ids = rows.map(({ pick }) => idOf(items, pick, owner))
  const twice = placesOf(ids, (id, at) => ids.indexOf(id) < at, 'id')
  if (twice.length > 0) return fails(422, place(twice))
  const missing = placesOf(rows, ({ pick }) => itemOf(items, pick, owner) === undefined, 'id')
  if (missing.length > 0) return fails(404, place(missing))
  const theirs = placesOf(rows, ({ pick }) => itemOf(items, pick, owner)?.owner !== owner, 'id')
  if (theirs.length > 0) return fails(403, place(theirs))
  const old = placesOf(rows, ({ said }) => said === 'older', 'version')
  return old.length > 0 ? fails(409, place(old)) : null
}

function patching(items: readonly Item[], { rows }: Of<'patch'>, owner: number): Expected {
  const wrong = naming(items, rows, owner, (all) => all)
  if (wrong !== null) return wrong
  const empty = placesOf(rows, (row) => row.code === null, 'code')
  if (empty.length > 0) return fails(422, empty)
  const large = placesOf(rows, ({ qty }) => qty === 100, 'id')
  if (large.length > 0) return fails(403, large)
  const now = new Map(items.map((each) => [each.id, each]))
  let left = rows
  for (;;) {
    const waiting = left.filter((row) => {
      const id = idOf(items, row.pick, owner)
      const held = [...now.values()].some((each) => each.id !== id && each.code === row.code)
      const item = now.get(id)
      if (held || item === undefined) return true
      const { code: next = item.code, qty = item.qty } = row
      now.set(id, { ...item, code: next ?? item.code, qty, version: item.version + 1 })
      return false
    })
    if (waiting.length === 0) return { items: [...now.values()] }
    // Values that two records want, or exchange.
    if (waiting.length === left.length) return { fails: { status: [409, 422], places: null } }
    left = waiting
  }
}

function deleting(items: readonly Item[], { rows }: Of<'delete'>, owner: number): Expected {
  const inIds = (all: readonly string[]) => all.map((each) => `ids.${each.split('.')[0]}`)
  const wrong = naming(items, rows, owner, inIds)
  if (wrong !== null) return wrong
  const gone = new Set(rows.map(({ pick }) => idOf(items, pick, owner)))
  return { items: items.filter(({ id }) => !gone.has(id)) }
}

const statuses: Readonly<Record<string, number>> = {
  ...{ VALIDATION_FAILED: 422, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409 },
}

describe.each(databases)('random writes of many records on %s', (name) => {
  let project: Project
  const people: Record<string, number> = {}
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    people['ann'] = await project.user('Ann')
    people['bob'] = await project.user('Bob')
  })
  afterAll(() => project.close())

  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  const stored = async (): Promise<readonly Item[]> =>
    (await run('select id, code, qty, version, owner_id from parts order by id')).map(
      ([id, ...row]) => ({
        ...{ id: String(id), code: String(row[0]), qty: Number(row[1]) },
        ...{ version: Number(row[2]), owner: Number(row[3]) },
      }),
    )

  const bodiesOf = (items: readonly Item[], step: Step): readonly object[] => {
    if (step.kind === 'store') return step.rows
    const owner = people[step.who] ?? 0
    return step.rows.map(({ pick, said, ...fields }) => {
      const version = itemOf(items, pick, owner)?.version ?? 1
      const named = said === 'none' ? {} : { version: said === 'this' ? version : version - 1 }
      const id = idOf(items, pick, owner)
      return { id, ...named, ...(step.kind === 'patch' ? fields : {}) }
    })
  }

  const asGraphql = {
    store: 'mutation ($input: [PartInput!]!) { it: createPartList(input: $input) { id code } }',
    patch: 'mutation ($input: [PartListInput!]!) { it: updatePartList(input: $input) { id code } }',
    delete: 'mutation ($input: [PartListKey!]!) { it: deletePartList(input: $input) }',
  }
  interface Said {
    readonly status: number
    readonly places: readonly string[]
    readonly codes: readonly string[] | null
  }
  const send = async (step: Step, bodies: readonly object[]): Promise<Said> => {
    const as = people[step.who]
    if (step.door === 'graphql') {
      const query = asGraphql[step.kind]
      const { body } = await project.post('/graphql', { query, variables: { input: bodies } }, as)
      const { code: failure, errors = {} } = body.errors?.[0].extensions ?? {}
      const codes = Array.isArray(body.data?.it)
        ? body.data.it.map((each: Item) => each.code)
        : null
      return {
        status: statuses[failure] ?? (failure ? 500 : 200),
        places: Object.keys(errors),
        codes,
      }
    }
    const path = '/api/svc/parts/bulk'
    const answers: Record<Step['kind'], () => Promise<Answer>> = {
      store: () => project.post(path, bodies, as),
      patch: () => project.patch(path, bodies, as),
      delete: () => project.post(`${path}/delete`, { ids: bodies }, as),
    }
    const { status, body } = await answers[step.kind]()
    const codes = body?.data?.map(({ attributes }: { attributes: Item }) => attributes.code) ?? null
    return { status, places: Object.keys(body?.errors ?? {}), codes }
  }

  const expected = (items: readonly Item[], step: Step): Expected => {
    const owner = people[step.who] ?? 0
    if (step.kind === 'store') return storing(items, step, owner)
    return step.kind === 'patch' ? patching(items, step, owner) : deleting(items, step, owner)
  }

  it('are all done, or none of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 14 }), async (all) => {
        await run('delete from parts')
        for (const [at, each] of ['h', 'i', 'j', 'k', 'l', 'm', 'n', 'o'].entries()) {
          const owner = at % 3 === 2 ? people['bob'] : people['ann']
          await project.insert('parts', { code: each, qty: 1, version: 1, owner_id: owner })
        }
        for (const step of all) {
          const before = await stored()
          const wanted = expected(before, step)
          const said = await send(step, bodiesOf(before, step))
          const after = await stored()
          if ('fails' in wanted) {
            expect(wanted.fails.status).toContain(said.status)
            if (wanted.fails.places !== null) expect(said.places).toEqual(wanted.fails.places)
            expect(after).toEqual(before)
            continue
          }
          expect(said.status).toBeLessThan(300)
          const isNew = ({ id }: Item) => !before.some((each) => each.id === id)
          expect(after.map((each) => (isNew(each) ? { ...each, id: '?' } : each))).toEqual(
            wanted.items,
          )
          const codes = step.kind === 'store' ? step.rows.map((row) => row.code) : null
          if (codes !== null) expect(said.codes).toEqual(codes)
        }
      }),
      { numRuns: runsOn(name, 40) },
    )
  })
})

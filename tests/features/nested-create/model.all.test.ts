/** Random records with those below them, one and many, REST, nested routes and GraphQL mixed, leave what a model in memory says. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/features/nested-create/manifests/model.ts',
  policies: {
    Order: { store: '() => ({ qty: { lt: 100 } })' },
    Line: { store: '(user) => ({ qty: { lt: 100 }, order: { is: { owner_id: user?.id } } })' },
  },
}

const code = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i')
/** Seldom what the policy does not admit. */
const qty = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(1, 2) }, fc.constant(100))
const line = fc.record(
  {
    code: fc.oneof({ weight: 15, arbitrary: fc.option(code) }, fc.constant(7)),
    qty,
  },
  { requiredKeys: [] },
)
/** Seldom one that names what is above. */
const lineOf = fc
  .tuple(line, fc.integer({ min: 0, max: 25 }))
  .map(([each, at]) => (at === 0 ? Object.assign({}, each, { order_id: '1' }) : each))
const word = fc.record({ code: fc.oneof({ weight: 12, arbitrary: code }, fc.constant(null)) })
const order = fc.record(
  {
    code: fc.oneof({ weight: 15, arbitrary: code }, fc.constant(null)),
    qty,
    lines: fc.array(lineOf, { maxLength: 4 }),
    seal: fc.option(word),
    notes: fc.array(word, { maxLength: 2 }),
  },
  { requiredKeys: ['code'] },
)
type Order = typeof order extends fc.Arbitrary<infer Value> ? Value : never

const steps = fc.record({
  door: fc.constantFrom('rest', 'nested', 'graphql', 'many', 'manyGraphql'),
  orders: fc.array(order, { minLength: 1, maxLength: 3 }),
})
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never

interface State {
  /** `a:1`, and below it `lines a/2`. */
  readonly orders: readonly string[]
  readonly below: readonly string[]
}

type Expected =
  | { readonly state: State }
  | { readonly status: number; readonly places: readonly string[] }

/** What each order says wrong, by its place: whatever the database holds. */
function wrongIn(orders: readonly Order[], placeOf: (at: number, name: string) => string) {
  return orders.flatMap(({ code: own, lines = [], seal, notes = [] }, at) => [
    ...(own === null ? [placeOf(at, 'code')] : []),
    ...lines.flatMap((each, index) => [
      ...(each.code === 7 ? [placeOf(at, `lines.${index}.code`)] : []),
      ...('order_id' in each ? [placeOf(at, `lines.${index}.order_id`)] : []),
    ]),
    ...(seal != null && seal.code === null ? [placeOf(at, 'seal.code')] : []),
    ...notes.flatMap((each, index) =>
      each.code === null ? [placeOf(at, `notes.${index}.code`)] : [],
    ),
  ])
}

function expected(state: State, { door, orders }: Step): Expected {
  const isMany = door.startsWith('many')
  const placeOf = (at: number, name: string) => (isMany ? `${at}.${name}` : name)
  const wrong = wrongIn(orders, placeOf)
  if (wrong.length > 0) return { status: 422, places: wrong }
  const denied = orders.flatMap((each, at) => (each.qty === 100 ? [placeOf(at, 'id')] : []))
  if (denied.length > 0) return { status: 403, places: isMany ? denied : [] }
  const clashes = later(
    state.orders.map((each) => each.split(':')[0] ?? ''),
    orders.map((each) => each.code),
  )
  if (clashes.length > 0) return { status: 422, places: clashes.map((at) => placeOf(at, 'code')) }
  const all = orders.flatMap(({ lines = [] }, at) =>
    lines.map((each, index) => ({ ...each, place: placeOf(at, `lines.${index}`) })),
  )
  const large = all.filter((each) => each.qty === 100).map(({ place }) => `${place}.id`)
  if (large.length > 0) return { status: 403, places: large }
  const lineCodes = state.below.flatMap((each) => /^lines \w+ (\w+)\//.exec(each)?.[1] ?? [])
  const taken = later(
    lineCodes,
    all.map((each) => String(each.code ?? '') || null),
  )
  if (taken.length > 0) {
    return { status: 422, places: taken.map((at) => `${all[at]?.place}.code`) }
  }
  const below = orders.flatMap(({ code: own, lines = [], seal, notes = [] }) => [
    ...lines.map((each) => `lines ${own} ${String(each.code ?? '-')}/${each.qty ?? 1}`),
    ...(seal == null ? [] : [`seals ${own} ${seal.code}`]),
    ...notes.map((each) => `notes ${own} ${each.code}`),
  ])
  const made = orders.map((each) => `${each.code}:${each.qty ?? 1}`)
  return { state: { orders: [...state.orders, ...made], below: [...state.below, ...below] } }
}

/** Places of those that want what is taken, or an earlier one wants. */
function later(known: readonly string[], wanted: readonly (string | null)[]): readonly number[] {
  const taken = new Set<string | null>(known)
  return wanted.flatMap((each, at) => {
    if (each === null) return []
    const isTaken = taken.has(each)
    taken.add(each)
    return isTaken ? [at] : []
  })
}

const statuses: Readonly<Record<string, number>> = {
  ...{ VALIDATION_FAILED: 422, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409 },
}

describe.each(databases)('random records with those below them on %s', (name) => {
  let project: Project
  let ann: number
  let team: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    team = await project.insert('teams', { name: 'one' })
  })
  afterAll(() => project.close())

  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  const rows = async (sql: string) => (await run(sql)).map(([value]) => String(value))
  const stored = async (): Promise<State> => ({
    orders: await rows(`select code || ':' || qty from orders order by id`),
    below: [
      ...(await rows(
        `select 'lines ' || o.code || ' ' || coalesce(l.code, '-') || '/' || l.qty from lines l join orders o on o.id = l.order_id where l.deleted_at is null`,
      )),
      ...(await rows(
        `select 'seals ' || o.code || ' ' || s.code from seals s join orders o on o.id = s.order_id`,
      )),
      ...(await rows(
        `select 'notes ' || o.code || ' ' || n.code from notes n join orders o on n.noted_type = 'orders' and cast(o.id as text) = cast(n.noted_id as text)`,
      )),
    ].toSorted(),
  })
  const bytes = async () => {
    const tables = ['orders', 'lines', 'seals', 'notes'].map((table) =>
      run(`select * from ${table} order by id`),
    )
    return JSON.stringify(await Promise.all(tables))
  }

  interface Said {
    readonly status: number
    readonly places: readonly string[]
    /** What the answer shows of lines, by order. */
    readonly lines: readonly (readonly string[] | undefined)[]
  }
  interface Shown {
    readonly attributes: { readonly code: string | null; readonly qty: number }
    readonly relationships?: { readonly lines?: readonly Shown[] }
  }
  const lineText = ({ code: own, qty: count }: Shown['attributes']) => `${own ?? '-'}/${count}`
  const send = async ({ door, orders }: Step): Promise<Said> => {
    if (door === 'graphql' || door === 'manyGraphql') {
      const [type, mutation, input] =
        door === 'graphql'
          ? ['OrderInput!', 'createOrder', orders[0]]
          : ['[OrderInput!]!', 'createOrderList', orders]
      const query = `mutation ($input: ${type}) { it: ${mutation}(input: $input) { code lines(first: 5) { code qty } } }`
      const { body } = await project.post('/graphql', { query, variables: { input } }, ann)
      const { code: failure, errors = {} } = body.errors?.[0].extensions ?? {}
      return {
        status: failure ? (statuses[failure] ?? 500) : 201,
        places: Object.keys(errors),
        lines: [],
      }
    }
    const path = { rest: 'orders', nested: `teams/${team}/orders`, many: 'orders/bulk' }[door] ?? ''
    const { status, body } = await project.post(
      `/api/svc/${path}`,
      door === 'many' ? orders : orders[0],
      ann,
    )
    const shown: readonly Shown[] = [body.data ?? []].flat()
    const lines = shown.map(({ relationships }) =>
      relationships?.lines?.map(({ attributes }) => lineText(attributes)),
    )
    return { status, places: Object.keys(body.errors ?? {}), lines }
  }
  /** A GraphQL input of another type never comes to a repository. */
  const isSent = ({ door, orders }: Step) =>
    !door.toLowerCase().includes('graphql') ||
    orders.every(({ lines = [] }) =>
      lines.every((each) => each.code !== 7 && !('order_id' in each)),
    )

  it('are all made, or none of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 9 }), async (all) => {
        for (const table of ['lines', 'seals', 'notes', 'orders']) await run(`delete from ${table}`)
        for (const given of all.filter(isSent)) {
          const isMany = given.door.startsWith('many')
          const step = isMany ? given : { ...given, orders: given.orders.slice(0, 1) }
          // What was trashed holds no code.
          await run(`update lines set deleted_at = created_at where code = 'i'`)
          const before = await stored()
          const same = await bytes()
          const wanted = expected(before, step)
          const said = await send(step)
          if ('status' in wanted) {
            expect([said.status, said.places.toSorted()]).toEqual([
              wanted.status,
              wanted.places.toSorted(),
            ])
            expect(await bytes()).toBe(same)
            continue
          }
          expect(said.status).toBe(201)
          const after = await stored()
          expect(after.orders).toEqual(wanted.state.orders)
          expect(after.below).toEqual(wanted.state.below.toSorted())
          if (said.lines.length === 0) continue
          expect(said.lines).toEqual(
            step.orders.map(({ lines }) =>
              lines?.map((each) => `${String(each.code ?? '-')}/${each.qty ?? 1}`),
            ),
          )
        }
      }),
      { numRuns: runsOn(name, 40) },
    )
  })
})

/** Random writes of records with versions, REST, nested routes, GraphQL and SQL mixed, leave what a model in memory says. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/features/versions/manifests/model.ts',
}

type Key = 'books' | 'drafts'

/** What there should be of a record. */
interface Item {
  readonly key: Key
  readonly title: string
  readonly version: number
}

/** By `books/1`. */
type Model = ReadonlyMap<string, Item>

const key = fc.constantFrom<Key>('books', 'drafts')
const title = fc.constantFrom('a', 'b', 'c', null)
const door = fc.constantFrom('rest', 'nested', 'graphql')
/** Which version a change names, seen from the one that there is. */
const said = fc.constantFrom('none', 'this', 'older', 'newer', 'any', 'both', 'weak')

const steps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('store' as const), key, title, door }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('patch' as const, 'put' as const, 'delete' as const),
      pick: fc.nat(),
      ...{ title, door, said },
    }),
  },
  fc.record({ kind: fc.constant('sql' as const), key, isCounted: fc.boolean() }),
)
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never
type Change = Extract<Step, { readonly pick: number }>

const tags = {
  none: () => undefined,
  this: (version: number) => `"${version}"`,
  older: (version: number) => `"${version - 1}"`,
  newer: (version: number) => `"${version + 1}"`,
  any: () => '*',
  both: (version: number) => `"${version + 9}", "${version}"`,
  weak: (version: number) => `W/"${version}"`,
} as const

describe.each(databases)('random writes of versions on %s', (name) => {
  let project: Project
  let ann: number
  let shelf: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    shelf = await project.insert('shelves', { name: 'one' })
  })
  afterAll(() => project.close())

  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  const ask = async (query: string) => (await project.post('/graphql', { query }, ann)).body
  const rest = async (method: string, path: string, body: object | null, tag?: string) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (tag !== undefined) headers['if-match'] = tag
    const sent = body === null ? {} : { body: JSON.stringify(body) }
    return project.request(method, path, { as: ann, headers, ...sent })
  }
  const fieldsOf = (of: Key) => (of === 'books' ? { shelf_id: String(shelf) } : {})
  const text = (input: object) => JSON.stringify(input).replaceAll(/"(\w+)":/g, '$1: ')
  /** Drafts are below nothing. */
  const pathOf = (of: Key, at: 'rest' | 'nested' | 'graphql') =>
    at === 'nested' && of === 'books' ? `/api/svc/shelves/${shelf}/books` : `/api/svc/${of}`
  const typeOf = (of: Key) => (of === 'books' ? 'Book' : 'Draft')

  /** Its id, where it was made. */
  async function store({ key: of, title: called, door: at }: Extract<Step, { kind: 'store' }>) {
    const input = { title: called, ...fieldsOf(of) }
    if (at === 'graphql') {
      const type = typeOf(of)
      const { data } = await ask(
        `mutation { it: create${type}(input: ${text(input)}) { id version } }`,
      )
      if (data?.it == null) return null
      expect(data.it.version).toBe(1)
      return String(data.it.id)
    }
    const { status, body, headers } = await rest('POST', pathOf(of, at), input)
    if (status !== 201) return null
    expect([body.data.meta.version, headers.get('etag')]).toEqual([1, '"1"'])
    return String(body.data.id)
  }

  /** The status, and the version that was answered. */
  async function change(id: string, { key: of, version }: Item, step: Change) {
    const { kind, title: called, door: at, said: how } = step
    const numbers = { this: version, older: version - 1, newer: version + 1 } as const
    const isNumber = how === 'this' || how === 'older' || how === 'newer'
    // GraphQL names one version, or where it may, none.
    if (at === 'graphql' && kind !== 'put' && (isNumber || (how === 'none' && of === 'books'))) {
      const only = isNumber ? `, version: ${numbers[how]}` : ''
      const type = typeOf(of)
      const query =
        kind === 'delete'
          ? `it: delete${type}(id: "${id}"${only})`
          : `it: update${type}(id: "${id}", input: { title: ${JSON.stringify(called)} }${only}) { version }`
      const { data, errors = [] } = await ask(`mutation { ${query} }`)
      const codes: Record<string, number> = { PRECONDITION_FAILED: 412, VALIDATION_FAILED: 422 }
      const status = errors.length === 0 ? 200 : (codes[errors[0].extensions.code] ?? 400)
      return { status, version: status === 200 ? (data.it.version ?? null) : null }
    }
    const method = kind === 'put' ? 'PUT' : kind === 'patch' ? 'PATCH' : 'DELETE'
    const body =
      kind === 'delete' ? null : { title: called, ...(kind === 'put' ? fieldsOf(of) : {}) }
    const answer = await rest(method, `${pathOf(of, at)}/${id}`, body, tags[how](version))
    const tag = answer.headers.get('etag')
    if (answer.status === 412) expect(tag).toBe(`"${version}"`)
    if (answer.status === 200) expect(tag).toBe(`"${answer.body.data.meta.version}"`)
    return {
      status: answer.status === 204 ? 200 : answer.status,
      version: answer.body?.data?.meta.version ?? null,
    }
  }

  function expected({ key: of }: Item, { kind, title: called, said: how }: Change): number {
    if (how === 'none' && of === 'drafts') return 428
    if (how === 'older' || how === 'newer' || how === 'weak') return 412
    return called === null && kind !== 'delete' ? 422 : 200
  }

  async function after(model: Model, step: Step): Promise<Model> {
    const next = new Map(model)
    if (step.kind === 'sql') {
      const counted = step.isCounted ? ', version = version + 5' : ''
      await run(`update ${step.key} set note = 'sql'${counted}`)
      for (const [id, item] of model) {
        const version = item.version + (step.isCounted ? 5 : 1)
        if (item.key === step.key) next.set(id, { ...item, version })
      }
      return next
    }
    if (step.kind === 'store') {
      const id = await store(step)
      expect(id !== null).toBe(step.title !== null)
      if (id !== null && step.title !== null) {
        next.set(`${step.key}/${id}`, { key: step.key, title: step.title, version: 1 })
      }
      return next
    }
    const [id, item] = [...model][step.pick % Math.max(1, model.size)] ?? []
    if (id === undefined || item === undefined) return next
    const { status, version } = await change(id.split('/')[1] ?? '', item, step)
    expect([step, status]).toEqual([step, expected(item, step)])
    if (status !== 200) return next
    if (step.kind === 'delete') next.delete(id)
    else {
      expect(version).toBe(item.version + 1)
      next.set(id, { ...item, title: step.title ?? '', version: item.version + 1 })
    }
    return next
  }

  async function expectModel(model: Model) {
    const found: [string, Item][] = []
    for (const of of ['books', 'drafts'] as const) {
      const { body } = await rest('GET', `/api/svc/${of}?perPage=100`, null)
      for (const { id, attributes, meta } of body.data) {
        found.push([`${of}/${id}`, { key: of, title: attributes.title, version: meta.version }])
      }
    }
    expect(new Map(found.toSorted())).toEqual(new Map([...model].toSorted()))
  }

  it('hold in every order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 16 }), async (sequence) => {
        for (const table of ['books', 'drafts']) await run(`delete from ${table}`)
        let model: Model = new Map()
        for (const step of sequence) model = await after(model, step)
        await expectModel(model)
      }),
      { numRuns: runsOn(name, 25) },
    )
  })
})

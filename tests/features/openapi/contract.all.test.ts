/** The document of the API is held to the server that runs: what it allows is taken, what it does not is refused. */
import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listRoutes } from '../../../generator/commands/inspect/list-routes.js'
import { features } from '../../../generator/features/index.js'
import { emit } from '../../core/compile/emit.js'
import { isTold } from '../../support/databases.js'
import { databases, openFolder, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'
import { aliasesOf, partsOf, type Operation, type Parts, type Sent } from './contract-parts.js'

const cases = (
  [
    ['blog', 'own'],
    ['every-kind', 'open'],
    ['awkward-names', 'open'],
  ] as const
)
  .flatMap(([fixture, policies]) => databases.map((name) => ({ fixture, policies, name })))
  // Each has its turn at each run, and all of them have both where there is time.
  .filter(({ fixture, name }) => isTold(name, fixture === 'blog' ? 'postgresql' : 'sqlite'))

/** What a body that is as the document says can still be refused for. */
const beyondSchemas =
  /already been taken|invalid token|not verified here|record that exists|records that exist|must not be the e-mail|is not right|at least -?\d|not be greater than -?\d/

describe.each(cases)('the document of $fixture on $name', ({ fixture, policies, name }) => {
  let project: Project
  let parts: Parts
  /** Statuses that each operation answered. */
  const seen = new Map<string, Set<number>>()

  beforeAll(async () => {
    process.env['THROTTLE_LIMIT'] = '1000000'
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
    // Bodies of searches have combinations that no schema refuses: `tests/features/trees` asks them.
    const folder = await emit(fixture, name, policies, { hasNoReads: fixture === 'blog' })
    project = await openFolder(folder, name)
    parts = await partsOf(project.folder)
  })
  afterAll(async () => {
    await project.close()
    rmSync(project.folder, { recursive: true, force: true })
  })

  /** Sends one request, and says what is wrong with its answer. */
  async function ask(operation: Operation, sent: Sent): Promise<string | null> {
    const key = /^\/api\/svc\/([^/]+)\/\{id\}/.exec(operation.path)?.[1]
    const as = await parts.signIn()
    const known =
      key === undefined || key === 'verify' ? [] : await parts.makeRows(key, as?.user ?? null)
    const token = sent.what === 'nobody' ? null : (as?.token ?? null)
    const response = await parts.send(operation, sent, { known, token })
    seen.set(operation.id, (seen.get(operation.id) ?? new Set()).add(response.status))
    const problem = await parts.contract.problemOf(operation, response)
    return problem ?? misjudged(sent, response.status, await response.text())
  }

  /** The smallest request whose answer is not what the document says, or nothing. */
  async function wrong(operation: Operation, sent: fc.Arbitrary<Sent>, numRuns: number) {
    // Asked again, it might be answered otherwise.
    let last: unknown = null
    const asking = fc.asyncProperty(sent, async (each) => {
      const problem = await ask(operation, each)
      last = problem ?? last
      return problem === null
    })
    const { failed, counterexample, errorInstance } = await fc.check(asking, { numRuns })
    if (!failed || counterexample === null) return []
    return [[operation.id, last ?? String(errorInstance), JSON.stringify(counterexample[0])]]
  }

  it('answers right and spoiled requests as it says', async () => {
    const found: unknown[] = []
    for (const operation of parts.contract.operations) {
      const [right, spoiled] = [parts.right(operation), parts.spoiled(operation)]
      const asNobody = right.map((sent) => ({ ...sent, isRight: false, what: 'nobody' }))
      found.push(...(await wrong(operation, right, runs(1))))
      found.push(...(await wrong(operation, spoiled, runs(1))))
      found.push(...(await wrong(operation, asNobody, 1)))
    }
    expect(found).toEqual([])
  })

  it('tells every route of the server, and no other', async () => {
    const described = parts.contract.operations.map(({ method, path }) => `${method} ${path}`)
    const { json } = await listRoutes(project.folder, features)
    const listed = (json as { method: string; path: string }[])
      .filter(({ path }) => path !== '/graphql')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(described.toSorted()).toEqual(listed.toSorted())
    for (const { method, path } of parts.routes) {
      // What can be done below a record is the relation's to say: what answers 405 is not told.
      const isAsked = method !== 'GET' && path.includes('/:relation')
      if (method === 'ALL' || path.startsWith('/graphql') || isAsked) continue
      const pattern = new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/]+')}$`)
      expect(
        listed.some((each) => pattern.test(each)),
        `${method} ${path}`,
      ).toBe(true)
    }
  })

  it('takes no parameter that it does not tell', async () => {
    const found: string[] = []
    for (const operation of reads(parts)) {
      const as = await parts.signIn()
      const [, key = ''] = /^\/api\/svc\/([^/]+)/.exec(operation.path) ?? []
      const known = await parts.makeRows(key, as?.user ?? null)
      const get = async (query: string) => {
        const sent = { what: 'read', isRight: true, query, path: {}, headers: {}, body: null }
        return parts.send(operation, sent, { known: known.slice(-1), token: as?.token ?? null })
      }
      const plain = told(await (await get('')).text())
      for (const query of strangers(
        operation,
        Object.keys([JSON.parse(plain).data].flat()[0]?.attributes ?? {}),
      )) {
        const response = await get(query)
        const text = await response.text()
        if (response.status !== 400 && told(text) !== plain) found.push(`${operation.id} ${query}`)
      }
    }
    expect(found).toEqual([])
  })
})

/** What an answer says, but for its links, which keep the query. */
const told = (text: string): string => {
  const { links: _, ...rest } = JSON.parse(text)
  return JSON.stringify(rest)
}

const reads = ({ contract }: Parts) =>
  contract.operations.filter(({ method, path }) => {
    return (
      method === 'GET' && /^\/api\/svc\/[^/]+(\/\{id\})?$/.test(path) && !path.endsWith('/profile')
    )
  })

/** Parameters that other operations take or a client may hope for. */
function strangers({ parameters }: Operation, attributes: readonly string[]): readonly string[] {
  const names = ['id', ...attributes].flatMap((name) => [name, `-${name}`, `filter[${name}]`])
  const others = [
    'limit',
    'offset',
    'filter',
    'fields',
    'with',
    'q',
    'constructor',
    '__proto__',
    'page[number]',
  ]
  const known = new Set(parameters.flatMap(({ name }) => [name, ...aliasesOf(name)]))
  const unknown = [...names, ...others].filter((name) => !known.has(name))
  return unknown.flatMap((name) =>
    ['1', 'null', 'x'].map((value) => `?${encodeURIComponent(name)}=${value}`),
  )
}

/** Returns true if a request was taken that is spoiled, or refused that is right. */
function misjudged({ what, isRight }: Sent, status: number, text: string): string | null {
  const isBody = ['body', 'malformed', 'content type', 'length'].includes(what)
  if (isBody && status < 400) return `${status}, and the ${what} is wrong`
  if (!isRight || (status !== 400 && status !== 422)) return null
  return beyondSchemas.test(text) ? null : `${status} for what the document allows: ${text}`
}

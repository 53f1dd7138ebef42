/** Each status that the document has of an operation does occur. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { change, emit } from '../../core/compile/emit.js'
import { openFolder, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'
import { partsOf, type Operation, type Parts, type Sent } from './contract-parts.js'
import {
  makePlenty,
  notFromOutside,
  perPage,
  provoke,
  putBelow,
  type Answered,
  type Ask,
} from './contract-statuses.js'

// What is answered is the runtime's to say, not the database's; the blog has every kind of route.
const fixtures =
  runs(1) > 1 ? (['blog', 'every-kind', 'awkward-names'] as const) : (['blog'] as const)

describe.each(fixtures)('the document of %s', (fixture) => {
  let project: Project
  let parts: Parts
  const seen = new Set<string>()

  beforeAll(async () => {
    process.env['THROTTLE_LIMIT'] = '1000000'
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
    const folder = await emit(fixture, 'sqlite', 'open', { hasNoReads: fixture === 'blog' })
    makeClosable(join(folder, 'app/Policies'))
    project = await openFolder(folder, 'sqlite')
    parts = await partsOf(folder)
  })
  afterAll(async () => {
    await project.close()
    rmSync(project.folder, { recursive: true, force: true })
  })

  it('has no status that does not occur', async () => {
    let as = await parts.signIn()
    // Of what was not written to since.
    const lists = new Map<string, Answered>()
    const ask: Ask = async (operation, given) => {
      const sent: Sent = { ...nothing, ...given }
      const list = given.query === perPage ? JSON.stringify([operation.id, given.path]) : null
      const known = lists.get(list ?? '')
      if (known !== undefined) return known
      const token = as?.token ?? null
      const response = await parts.send(operation, sent, { known: [], token })
      // Some operations end the token, or delete its user.
      const isOver = response.status === 401 && sent.headers['authorization'] === undefined
      if (isOver) as = await parts.signIn()
      expect(await parts.contract.problemOf(operation, response), operation.id).toBeNull()
      seen.add(`${operation.id} ${response.status}`)
      const etag = response.headers.get('etag')
      const answered = { status: response.status, text: await response.text(), etag }
      if (operation.method !== 'GET' && response.ok) lists.clear()
      if (list !== null) lists.set(list, answered)
      return answered
    }
    await makePlenty(parts, ask, async () => {
      for (const key of parts.keys) await parts.makeRows(key, as?.user ?? null)
    })
    /** A new record, or one below another, to delete. */
    const makeOne = async ({ path }: Operation): Promise<Sent['path'] | null> => {
      const [, , , key = '', , relation] = path.split('/')
      if (!parts.keys.includes(key)) return null
      const rows = async (of: string) => {
        const made = await parts.makeRows(of, (await parts.signIn())?.user ?? null)
        return made.at(-1) ?? ''
      }
      const id = await rows(key)
      if (!path.includes('{relatedId}')) return { id }
      const relatedId = await rows(parts.targets.get(`${key}/${relation}`) ?? key)
      lists.clear()
      return putBelow(parts, path, { id, relatedId }, ask)
    }
    const missing: string[] = []
    for (const operation of parts.contract.operations.toSorted(deletesLast)) {
      for (const status of [...operation.answers.keys()].toSorted(deniedFirst)) {
        const what = `${operation.id} ${status}`
        if (seen.has(what)) continue
        const isDeleted = operation.method === 'DELETE' && [204, 403, 409].includes(status)
        const isShown = operation.path.includes('{relatedId}') && status === 200
        const path = isDeleted || isShown ? await makeOne(operation) : null
        if (status === 403) process.env['POLICIES'] = 'closed'
        if (path !== null) await ask(operation, { path })
        if (!seen.has(what)) await provoke(parts, operation, status, ask)
        delete process.env['POLICIES']
        if (!seen.has(what)) missing.push(what)
      }
    }
    const told = parts.contract.operations.flatMap(({ id, answers }) =>
      [...answers.keys()].map((status) => `${id} ${status}`),
    )
    const idle = notFromOutside.filter(([pattern]) => !told.some((what) => pattern.test(what)))
    expect(idle).toEqual([])
    const isExplained = (what: string) => notFromOutside.some(([pattern]) => pattern.test(what))
    expect(missing.filter((what) => !isExplained(what))).toEqual([])
  })
})

const nothing: Sent = { what: '', isRight: false, query: '', path: {}, headers: {}, body: null }

/** Lets the policies deny every write for a while. */
function makeClosable(folder: string): void {
  for (const file of readdirSync(folder)) {
    const closable = "$1: () => process.env['POLICIES'] !== 'closed'"
    change(join(folder, file), /\b(?!show\b)(\w+): \(\) => true/, closable)
  }
}

/** What is denied is still there afterwards. */
const deniedFirst = (one: number, other: number) =>
  Number(other === 403) - Number(one === 403) || other - one

const rank = ({ method }: Operation) => (method === 'DELETE' ? 1 : 0)

/** What a delete takes is asked for before. */
const deletesLast = (one: Operation, other: Operation) => rank(one) - rank(other)

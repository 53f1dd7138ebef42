/** Many who delete, move and make many records at once: each is answered, and what was answered is what is there. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { type Answer, databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const manifest = { manifest: 'tests/features/bulk/manifests/stress.ts' }

/** Above and below: rows that go for good, and into the trash. */
const pairs = [
  { above: 'shelves', below: 'books', key: 'shelf_id' },
  { above: 'folders', below: 'files', key: 'folder_id' },
] as const

const parents = 8
const children = 24
const place = fc.nat({ max: parents - 1 })
const child = fc.nat({ max: children - 1 })
const some = (of: fc.Arbitrary<number>) => fc.uniqueArray(of, { minLength: 2, maxLength: 6 })
const request = fc.oneof(
  fc.record({ kind: fc.constant('remove' as const), of: some(place) }),
  fc.record({
    kind: fc.constant('patch' as const),
    of: some(child),
    to: fc.option(place, { freq: 2 }),
  }),
  fc.record({ kind: fc.constant('store' as const), of: some(place) }),
)
const rounds = fc.array(request, { minLength: 6, maxLength: 12 })

const api = '/api/svc'

describe.each(databases)('on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())
  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

  const fill = async ({ above, below, key }: (typeof pairs)[number]) => {
    await run(`delete from ${below}`)
    await run(`delete from ${above}`)
    const made = async (table: string, row: object): Promise<string> =>
      String(await project.insert(table, { name: 'first', ...row }))
    const tops: string[] = []
    for (let at = 0; at < parents; at++) tops.push(await made(above, {}))
    const lows: string[] = []
    for (let at = 0; at < children; at++) {
      lows.push(await made(below, { [key]: Number(tops[at % parents]) }))
    }
    return { tops, lows }
  }

  it.each(pairs)(
    'none who writes many $below beside those who delete many $above is lost, or fails',
    async (pair) => {
      const { above, below, key } = pair
      const property = fc.asyncProperty(rounds, async (round) => {
        const { tops, lows } = await fill(pair)
        const at = (list: readonly string[], index: number) => list[index] ?? ''
        const send = (each: (typeof round)[number], token: string): Promise<Answer> => {
          if (each.kind === 'remove') {
            const ids = each.of.map((index) => at(tops, index))
            return project.post(`${api}/${above}/bulk/delete`, { ids }, ann)
          }
          if (each.kind === 'patch') {
            const to = each.to === null ? {} : { [key]: at(tops, each.to) }
            const rows = each.of.map((index) => ({ id: at(lows, index), name: token, ...to }))
            return project.patch(`${api}/${below}/bulk`, rows, ann)
          }
          const rows = each.of.map((index) => ({ name: token, [key]: at(tops, index) }))
          return project.post(`${api}/${below}/bulk`, rows, ann)
        }
        const answers = await Promise.all(round.map((each, index) => send(each, `t${index}`)))
        const known = new Set([200, 201, 204, 404, 409, 422])
        const others = answers.flatMap(({ status, body }, index) =>
          known.has(status) ? [] : [[round[index]?.kind, status, body]],
        )
        expect(others).toEqual([])
        const isThere = above === 'folders' ? 'where deleted_at is null' : ''
        const left = (await run(`select id from ${above} ${isThere}`)).map(([id]) => String(id))
        const found = await run(`select id, name, ${key} from ${below} ${isThere}`)
        const rows = new Map(found.map(([id, text, top]) => [String(id), [text, String(top)]]))
        const done = round.flatMap((each, index) => {
          const { status = 0, body } = answers[index] ?? {}
          return status < 300 ? [{ each, token: `t${index}`, body }] : []
        })
        const removed = new Set(
          done.flatMap(({ each }) =>
            each.kind === 'remove' ? each.of.map((i) => at(tops, i)) : [],
          ),
        )
        // Who was told that it is gone is right, and nothing else went.
        expect(left.toSorted()).toEqual(tops.filter((id) => !removed.has(id)).toSorted())
        // Nothing is below what is gone.
        for (const [, top] of rows.values()) expect(left).toContain(top)
        const tokensOf = (id: string) =>
          done.flatMap(({ each, token, body }) =>
            (each.kind === 'patch' && each.of.some((index) => at(lows, index) === id)) ||
            (each.kind === 'store' && body.data.some((made: { id: string }) => made.id === id))
              ? [token]
              : [],
          )
        const stored = done.flatMap(({ each, body }) =>
          each.kind === 'store' ? body.data.map(({ id }: { id: string }) => id) : [],
        )
        for (const [id, [text]] of rows) {
          const tokens = tokensOf(id)
          expect(tokens.length === 0 ? ['first'] : tokens).toContain(text)
          expect([...lows, ...stored]).toContain(id)
        }
        // A missing row went with the one above it.
        if (removed.size === 0) expect(rows.size).toBe(lows.length + stored.length)
      })
      // A race does not shrink: the next run differs.
      await fc.assert(property, { numRuns: runsOn(name, 6), endOnFailure: true })
    },
  )
})

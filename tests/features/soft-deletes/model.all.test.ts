/** Random writes on records that can be in a trash, REST and GraphQL mixed, against a model in memory. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/features/soft-deletes/manifests/model.ts',
}

const api = '/api/svc'
const types = { posts: 'Post', comments: 'Comment', tags: 'Tag' } as const
type Key = keyof typeof types

interface Row {
  readonly id: string
  isThere: boolean
  slug: string
  readonly post: string
}

/** Which of the rows made so far, whatever became of them. */
const at = fc.nat(7)
const slug = fc.constantFrom('a', 'b', 'c')
const key = fc.constantFrom<Key>('posts', 'comments', 'tags')
const door = fc.constantFrom('rest', 'graphql')

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant('store'), key, at, slug }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('patch'), key, at, slug }) },
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constantFrom('delete', 'restore', 'forceDelete'),
        ...{ key, at, slug, door },
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constantFrom('attach', 'detach'), key, at, slug }),
    },
  ),
  { minLength: 8, maxLength: 24 },
)

interface Step {
  readonly does: string
  readonly key: Key
  readonly at: number
  readonly slug: string
  readonly door?: string
}

const codes: Record<string, number> = { NOT_FOUND: 404, CONFLICT: 409, VALIDATION_FAILED: 422 }

describe.each(databases)('a trash on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  const graphql = async (query: string) => {
    const { body } = await project.post('/graphql', { query }, ann)
    return (codes[body.errors?.[0]?.extensions?.code] ?? 'done') as number | 'done'
  }
  const statusOf = ({ status }: Answer) => (status < 300 ? 'done' : status)

  it('answers as its model, whatever is written in what order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        for (const table of ['post_tag', 'comments', 'posts', 'tags']) {
          await project.database.query({ sql: `delete from "${table}"`, access: 'write' }, [])
        }
        const world = new World()
        for (const step of all) {
          expect([step, await send(world, step)]).toEqual([step, world.write(step)])
        }
        expect(await seen()).toEqual(world.seen())
      }),
      { numRuns: runsOn(name, 25) },
    )
  })

  async function send(world: World, { does, key: of, at: place, slug: text, door: by }: Step) {
    const id = world.idOf(of, place)
    const type = types[of]
    switch (does) {
      case 'store': {
        const post = world.idOf('posts', place)
        const fields = {
          posts: { slug: text },
          comments: { body: text, post_id: post },
          tags: { name: text },
        }
        const answer = await project.post(`${api}/${of}`, fields[of], ann)
        if (answer.status === 201) world.made(of, answer.body.data.id as string)
        return statusOf(answer)
      }
      case 'patch':
        return statusOf(
          await project.patch(`${api}/posts/${world.idOf('posts', place)}`, { slug: text }, ann),
        )
      case 'attach':
      case 'detach': {
        const tags = [world.idOf('tags', place + text.length)]
        return statusOf(
          await project.post(
            `${api}/posts/${world.idOf('posts', place)}/${does}/tags`,
            { tags },
            ann,
          ),
        )
      }
      default: {
        if (by === 'graphql') {
          const selection = does === 'restore' ? ' { id }' : ''
          return graphql(`mutation { ${does}${type}(id: "${id}")${selection} }`)
        }
        const path = `${api}/${of}/${id}`
        if (does === 'delete') return statusOf(await project.delete(path, ann))
        if (does === 'restore') return statusOf(await project.post(`${path}/restore`, {}, ann))
        return statusOf(await project.delete(`${path}/force`, ann))
      }
    }
  }

  async function seen() {
    const list = async (path: string) => {
      const { body } = await project.get(`${api}/${path}`, ann)
      const records = body.data as {
        id: string
        relationships?: Record<string, { id: string } | { id: string }[] | null>
      }[]
      expect(body.meta.total).toBe(records.length)
      return records
    }
    const ids = async (path: string) => (await list(path)).map(({ id }) => id)
    const of = async (each: string) => ({
      there: await ids(`${each}?sort=id&perPage=100`),
      gone: await ids(`${each}?sort=id&perPage=100&trashed=only`),
      both: await ids(`${each}?sort=id&perPage=100&trashed=with`),
    })
    const idsIn = (value: unknown) =>
      (Array.isArray(value) ? (value as { id: string }[]) : []).map(({ id }) => id).toSorted()
    const posts = await list('posts?sort=id&perPage=100&include=comments,tags&relatablePerPage=100')
    const comments = await list('comments?sort=id&perPage=100&include=post')
    return {
      posts: await of('posts'),
      comments: await of('comments'),
      tags: await of('tags'),
      below: posts.map(({ id, relationships = {} }) => [
        id,
        idsIn(relationships['comments']),
        idsIn(relationships['tags']),
      ]),
      above: comments.map(({ id, relationships = {} }) => {
        const post = relationships['post'] as { id: string } | null
        return [id, post?.id ?? null]
      }),
    }
  }
})

type Said = number | 'done'

class World {
  private readonly rows: Record<Key, Row[]> = { posts: [], comments: [], tags: [] }
  private readonly pivots = new Set<string>()
  private readonly ids: Record<Key, string[]> = { posts: [], comments: [], tags: [] }
  private last: string | null = null

  /** The id of one of the rows made so far; of none where there are none. */
  idOf(key: Key, place: number): string {
    const ids = this.ids[key]
    return ids[place % Math.max(ids.length, 1)] ?? '2147483647'
  }

  /** The answer has its id before the model is asked. */
  made(key: Key, id: string): void {
    this.ids[key].push(id)
    this.last = id
  }

  write({ does, key, at: place, slug: text }: Step): Said {
    // A row that was just made is not yet among those that the step could mean.
    const made = this.last
    if (made !== null) this.ids[key].pop()
    const id = this.idOf(key, place)
    const post = this.idOf('posts', place)
    const tag = this.idOf('tags', place + text.length)
    if (made !== null) this.ids[key].push(made)
    this.last = null
    switch (does) {
      case 'store': {
        if (key === 'posts' && this.isTaken(text)) return 422
        if (key === 'comments' && this.there('posts', post) === undefined) return 422
        this.rows[key].push({ id: made ?? 'none', isThere: true, slug: text, post })
        return 'done'
      }
      case 'patch': {
        const row = this.there('posts', post)
        if (row === undefined) return 404
        if (this.isTaken(text, row)) return 422
        row.slug = text
        return 'done'
      }
      case 'attach':
      case 'detach': {
        if (this.there('posts', post) === undefined) return 404
        if (this.there('tags', tag) === undefined) return 422
        if (does === 'attach') this.pivots.add(`${post} ${tag}`)
        else this.pivots.delete(`${post} ${tag}`)
        return 'done'
      }
      case 'delete': {
        const row = this.there(key, id)
        if (row === undefined) return 404
        row.isThere = false
        return 'done'
      }
      case 'restore': {
        const row = this.rows[key].find((each) => each.id === id && !each.isThere)
        if (row === undefined) return 404
        if (key === 'posts' && this.isTaken(row.slug)) return 422
        row.isThere = true
        return 'done'
      }
      default: {
        const row = this.rows[key].find((each) => each.id === id)
        if (row === undefined) return 404
        if (key === 'posts' && this.rows.comments.some((each) => each.post === id)) return 409
        this.rows[key].splice(this.rows[key].indexOf(row), 1)
        for (const pair of this.pivots) {
          const [one, other] = pair.split(' ')
          if ((key === 'posts' && one === id) || (key === 'tags' && other === id))
            this.pivots.delete(pair)
        }
        return 'done'
      }
    }
  }

  private there(key: Key, id: string) {
    return this.rows[key].find((each) => each.id === id && each.isThere)
  }

  private isTaken(text: string, self?: Row): boolean {
    return this.rows.posts.some((each) => each !== self && each.isThere && each.slug === text)
  }

  seen() {
    const byId = (one: Row, other: Row) => Number(one.id) - Number(other.id)
    const of = (key: Key) => {
      const all = this.rows[key].toSorted(byId)
      const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)
      return {
        there: ids(all.filter(({ isThere }) => isThere)),
        gone: ids(all.filter(({ isThere }) => !isThere)),
        both: ids(all),
      }
    }
    const live = (key: Key) => this.rows[key].filter(({ isThere }) => isThere).toSorted(byId)
    return {
      posts: of('posts'),
      comments: of('comments'),
      tags: of('tags'),
      below: live('posts').map(({ id }) => [
        id,
        live('comments')
          .filter(({ post }) => post === id)
          .map((each) => each.id)
          .toSorted(),
        live('tags')
          .map((each) => each.id)
          .filter((tag) => this.pivots.has(`${id} ${tag}`))
          .toSorted(),
      ]),
      above: live('comments').map(({ id, post }) => [id, this.there('posts', post)?.id ?? null]),
    }
  }
}

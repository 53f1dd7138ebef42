/** Random data, policies and includes: what is loaded is what a naive loader finds, statement by statement bounded. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import type { Resource } from '../../../runtime/model/resource.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import type { IncludeTree } from '../../../runtime/query/query.js'
import { runsOn } from '../../support/runs.js'
import { type Blog, createBlog } from './blog.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import type { CommentModel, NoteModel, PostModel, TagModel, UserModel } from './models.js'
import { printInclude } from './print-include.js'

type Key = 'users' | 'posts' | 'comments' | 'notes' | 'tags'
type Attributes = Record<string, unknown>

interface Record_ {
  readonly id: string
  readonly attributes: Attributes
}

interface World {
  readonly records: Record<Key, Record_[]>
  readonly taggables: readonly (readonly [type: string, id: string, tag: string])[]
}

/** Related records of one kind: the parent's and the child's column that must be equal. */
interface Edge {
  readonly to: Key
  readonly one: boolean
  readonly own: string
  readonly their: string
}

const edges: Record<Key, Record<string, Edge | 'tags'>> = {
  users: { posts: { to: 'posts', one: false, own: 'id', their: 'owner_id' } },
  posts: {
    owner: { to: 'users', one: true, own: 'owner_id', their: 'id' },
    comments: { to: 'comments', one: false, own: 'id', their: 'post_id' },
    notes: { to: 'notes', one: false, own: 'id', their: 'post_id' },
    tags: 'tags',
  },
  comments: {
    post: { to: 'posts', one: true, own: 'post_id', their: 'id' },
    user: { to: 'users', one: true, own: 'user_id', their: 'id' },
  },
  notes: {
    parent: { to: 'notes', one: true, own: 'parent_id', their: 'id' },
    children: { to: 'notes', one: false, own: 'id', their: 'parent_id' },
    tags: 'tags',
  },
  tags: {},
}

/** Texts a policy hides, of the column that names a record. */
type Hidden = Record<Key, readonly string[]>
const named: Record<Key, string> = {
  users: 'name',
  posts: 'title',
  comments: 'body',
  notes: 'text',
  tags: 'name',
}

const word = fc.constantFrom('a', 'b', 'c', 'd')
const hidden: fc.Arbitrary<Hidden> = fc.record({
  users: fc.subarray(['a', 'b']),
  posts: fc.subarray(['a', 'b']),
  comments: fc.subarray(['a', 'b']),
  notes: fc.subarray(['a', 'b']),
  tags: fc.subarray(['a', 'b']),
})

function trees(key: Key, depth: number): fc.Arbitrary<IncludeTree> {
  const keys = Object.keys(edges[key])
  if (depth === 0 || keys.length === 0) return fc.constant([])
  return fc.subarray(keys).chain((chosen) =>
    fc.tuple(
      ...chosen.map((name) => {
        const edge = edges[key][name]
        const to = edge === undefined || edge === 'tags' ? 'tags' : edge.to
        const columns = fc.option(fc.constant([named[to]]), { freq: 2 })
        return fc
          .tuple(columns, trees(to, depth - 1))
          .map(([list, children]) => ({ key: name, columns: list, children }))
      }),
    ),
  )
}

const data = fc.record({
  users: fc.array(word, { minLength: 1, maxLength: 3 }),
  posts: fc.array(fc.tuple(word, fc.nat()), { maxLength: 8 }),
  comments: fc.array(fc.tuple(word, fc.nat(), fc.nat()), { maxLength: 12 }),
  notes: fc.array(fc.tuple(word, fc.option(fc.nat()), fc.option(fc.nat())), { maxLength: 8 }),
  taggings: fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.nat()), { maxLength: 8 }),
})

type Data = typeof data extends fc.Arbitrary<infer Value> ? Value : never

const pick = <T>(list: readonly T[], at: number): T | undefined =>
  list[at % Math.max(list.length, 1)]

async function fill(database: Database, blog: Blog, given: Data): Promise<World> {
  for (const table of ['taggables', 'comments', 'notes', 'tags', 'posts', 'users']) {
    await execute(database, `delete from ${table}`)
  }
  const records: World['records'] = { users: [], posts: [], comments: [], notes: [], tags: [] }
  for (const [at, name] of given.users.entries()) {
    const body = { name, email: `${String(at)}@x.org`, password: 'long enough' }
    records.users.push(await blog.users.store(null, body))
  }
  const userAt = (at: number) => ({ id: Number(pick(records.users, at)?.id) })
  for (const [title, owner] of given.posts) {
    records.posts.push(await blog.posts.store(userAt(owner), { title }))
  }
  for (const [body, post, user] of given.comments) {
    const post_id = pick(records.posts, post)?.id
    if (post_id !== undefined)
      records.comments.push(await blog.comments.store(userAt(user), { body, post_id }))
  }
  for (const [text, parent, post] of given.notes) {
    const parent_id = parent === null ? null : (pick(records.notes, parent)?.id ?? null)
    const post_id = post === null ? null : (pick(records.posts, post)?.id ?? null)
    records.notes.push(await blog.notes.store(null, { text, parent_id, post_id }))
  }
  for (const name of ['a', 'b', 'c', 'd']) records.tags.push(await blog.tags.store(null, { name }))
  const taggables = new Map<string, readonly [string, string, string]>()
  for (const [ofPost, record, tag] of given.taggings) {
    const type = ofPost ? 'posts' : 'notes'
    const id = pick(records[type], record)?.id
    const tagId = pick(records.tags, tag)?.id ?? ''
    if (id !== undefined) taggables.set(`${type}${id}${tagId}`, [type, id, tagId])
  }
  for (const row of taggables.values()) {
    await execute(database, 'insert into taggables values (?, ?, ?)', row)
  }
  return { records, taggables: [...taggables.values()] }
}

/** Finds the rows like a loader that knows everything and filters in memory. */
function naive(world: World, hides: Hidden, limit: number) {
  const isVisible = (key: Key, { attributes }: Record_) =>
    !hides[key].includes(String(attributes[named[key]]))
  const value = ({ id, attributes }: Record_, column: string) =>
    column === 'id' ? id : attributes[column]
  // Integers by value, UUIDs by text.
  const newestFirst = (left: Record_, right: Record_) =>
    right.id.length - left.id.length || (left.id < right.id ? 1 : -1)

  const related = (
    key: Key,
    record: Record_,
    name: string,
  ): { to: Key; one: boolean; found: Record_[] } => {
    const edge = edges[key][name]
    if (edge === undefined || edge === 'tags') {
      const ids = world.taggables
        .filter(([type, id]) => type === key && id === record.id)
        .map(([, , tag]) => tag)
      return {
        to: 'tags',
        one: false,
        found: world.records.tags.filter(({ id }) => ids.includes(id)),
      }
    }
    const found = world.records[edge.to].filter(
      (other) =>
        value(record, edge.own) !== null && value(other, edge.their) === value(record, edge.own),
    )
    return { to: edge.to, one: edge.one, found }
  }

  const shown = (
    key: Key,
    record: Record_,
    node: { columns: readonly string[] | null; children: IncludeTree },
  ): unknown => {
    const relationships = Object.fromEntries(
      node.children.map((child) => {
        const { to, one, found } = related(key, record, child.key)
        const visible = found.filter((other) => isVisible(to, other)).toSorted(newestFirst)
        const items = visible.slice(0, one ? 1 : limit).map((other) => shown(to, other, child))
        return [child.key, one ? (items[0] ?? null) : items]
      }),
    )
    return {
      id: record.id,
      type: key,
      attributes:
        node.columns === null ? record.attributes : { [named[key]]: record.attributes[named[key]] },
      ...(node.children.length > 0 ? { relationships } : {}),
    }
  }
  return (key: Key, tree: IncludeTree) =>
    world.records[key]
      .filter((record) => isVisible(key, record))
      .toSorted(newestFirst)
      .map((record) => shown(key, record, { columns: null, children: tree }))
}

/** Without meta and pivots, which other tests are about. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || !('attributes' in value)) return value
  const { id, type, attributes, relationships } = value as Resource // nothing else has attributes
  const inner = Object.entries(relationships ?? {}).map(([key, entry]) => [key, plain(entry)])
  return relationships === undefined
    ? { id, type, attributes }
    : { id, type, attributes, relationships: Object.fromEntries(inner) as unknown }
}

/** How often related records are written out. */
const written = (value: unknown): number => JSON.stringify(value).split('"attributes":').length - 1

const size = (tree: IncludeTree): number =>
  tree.reduce((sum, { children }) => sum + 1 + size(children), 0)

describe.each(dialects)('loading on %s', (dialect) => {
  let database: Database

  beforeAll(async () => {
    database = await openDatabase(dialect)
  })
  afterAll(() => database.close())

  test('finds what a naive loader finds', async () => {
    const writer = createBlog(database)
    let hides: Hidden = { users: [], posts: [], comments: [], notes: [], tags: [] }
    const blog = createBlog(database, {
      policies: {
        users: { show: (): Condition<UserModel> => ({ name: { notIn: hides.users } }) },
        posts: { show: (): Condition<PostModel> => ({ title: { notIn: hides.posts } }) },
        comments: { show: (): Condition<CommentModel> => ({ body: { notIn: hides.comments } }) },
        notes: { show: (): Condition<NoteModel> => ({ text: { notIn: hides.notes } }) },
        tags: { show: (): Condition<TagModel> => ({ name: { notIn: hides.tags } }) },
      },
    })
    // Each is allowed exactly what it needs.
    const settings = { maxRelated: 0 }
    const limited = createBlog(database, {
      policies: Object.fromEntries(
        (['users', 'posts', 'comments', 'notes', 'tags'] as const).map((key) => [
          key,
          blog[key].definition.policy,
        ]),
      ),
      settings,
    })
    const setLimit = (maxRelated: number) =>
      void Object.assign(limited.users.definition.settings, { maxRelated })
    const asked = fc.constantFrom<Exclude<Key, 'tags'>>('users', 'posts', 'comments', 'notes')
    const requests = fc.array(
      asked.chain((key) =>
        fc.record({
          key: fc.constant(key),
          tree: trees(key, 4),
          limit: fc.integer({ min: 1, max: 4 }),
          hides: hidden,
        }),
      ),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(data, requests, async (given, all) => {
        const world = await fill(database, writer, given)
        for (const request of all) {
          const { key, tree, limit } = request
          hides = request.hides
          const { result, statements } = await counted(database, () =>
            blog[key].index({ id: 1 }, { include: tree, relatablePerPage: limit, perPage: 100 }),
          )
          expect([printInclude(tree), result.data.map(plain)]).toEqual([
            printInclude(tree),
            naive(world, hides, limit)(key, tree),
          ])
          expect(statements.length).toBeLessThanOrEqual(2 + size(tree))
          const query = { include: tree, relatablePerPage: limit, perPage: 100 }
          const related = written(result.data) - result.data.length
          setLimit(related)
          expect((await limited[key].index({ id: 1 }, query)).data).toEqual(result.data)
          setLimit(related - 1)
          if (related > 0)
            await expect(limited[key].index({ id: 1 }, query)).rejects.toMatchObject({
              status: 400,
            })
        }
      }),
      { numRuns: runsOn(dialect, 60) },
    )
  })
})

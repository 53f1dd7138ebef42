/** `versioned`: every write counts, and `If-Match` changes the version it names or none. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import type { Repository } from '../../../runtime/operations/repository.js'
import { openManifest } from '../../support/own-manifest.js'
import { load, databases, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/versions/manifests/http.ts',
  files: {
    'app/Hooks/PartHooks.ts': `import type { PartModel, HooksFor } from '#app/Models.js'

export const PartHooks: HooksFor<PartModel> = {
  beforeUpdate: (_, part, values) => ({ ...values, lock_version: part.lock_version }),
  computed: {},
}
`,
    'app/Policies/PostPolicy.ts': `import type { PolicyFor, PostModel } from '#app/Models.js'

export const PostPolicy: PolicyFor<PostModel> = {
  show: () => ({ title: { not: 'hidden' } }),
  store: () => true,
  update: () => ({ title: { not: 'closed' } }),
  delete: () => ({ title: { not: 'closed' } }),
  attachTags: () => true,
  detachTags: () => true,
  syncTags: () => true,
}
`,
  },
}

const path = '/api/svc/posts'

describe.each(databases)('versions of records on %s', (name) => {
  let project: Project
  let ann: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())
  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  beforeEach(async () => {
    for (const table of ['comments', 'posts', 'parts']) await run(`delete from ${table}`)
  })

  const send = async (method: string, at: string, body?: object, ifMatch?: string) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (ifMatch !== undefined) headers['if-match'] = ifMatch
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await project.request(method, at, { as: ann, headers, ...sent })
    return {
      status: answer.status,
      tag: answer.headers.get('etag'),
      version: answer.body?.data?.meta?.version,
      id: answer.body?.data?.id,
      body: answer.body,
    }
  }
  const made = async (title = 'one') => {
    const { id } = await send('POST', path, { title })
    return `${path}/${id}`
  }
  const ask = (query: string) => project.post('/graphql', { query }, ann)

  it('begin at one and go up with every write, which answers say', async () => {
    const stored = await send('POST', path, { title: 'one' })
    expect(stored).toMatchObject({ status: 201, tag: '"1"', version: 1 })
    const at = `${path}/${stored.id}`
    expect(await send('PATCH', at, { title: 'two' })).toMatchObject({ tag: '"2"', version: 2 })
    expect(await send('PUT', at, { title: 'three' })).toMatchObject({ tag: '"3"', version: 3 })
    expect(await send('PATCH', at, {})).toMatchObject({ tag: '"4"', version: 4 })
    const shown = await send('GET', at)
    expect(shown).toMatchObject({ tag: '"4"', version: 4 })
    expect(shown.body.data.attributes).not.toHaveProperty('version')
    const { body } = await send('GET', path)
    expect(body.data[0].meta.version).toBe(4)
    await send('POST', '/api/svc/comments', { body: 'said', post_id: String(stored.id) })
    const below = await send('GET', `${path}?include=comments&withMeta=true`)
    const [comment] = below.body.data[0].relationships.comments
    expect(comment.meta.version).toBe(1)
    expect(below.body.data[0].meta.version).toBe(4)
  })

  it('If-None-Match is 400 on every write, for the method says whether a record is made', async () => {
    const at = await made()
    const headers = { 'content-type': 'application/json', 'if-none-match': '*' }
    const bodies = { title: 'two' }
    for (const [method, place, body] of [
      ['POST', path, bodies],
      ['PUT', at, bodies],
      ['PUT', `${path}/999`, bodies],
      ['PATCH', at, bodies],
      ['DELETE', at, {}],
      ['POST', `${at}/attach/tags`, { tags: [] }],
    ] as const) {
      const sent = { as: ann, headers, body: JSON.stringify(body) }
      const answer = await project.request(method, place, sent)
      expect([method, answer.status, answer.body.message]).toEqual([
        method,
        400,
        'The If-None-Match header cannot be honoured: POST alone makes a record, and PUT, PATCH and DELETE change one that is there. Nothing was done.',
      ])
    }
    expect((await send('GET', path)).body.data).toMatchObject([
      { attributes: { title: 'one' }, meta: { version: 1 } },
    ])
  })

  it('a request changes the version that it names, or none', async () => {
    const at = await made()
    expect(await send('PATCH', at, { title: 'two' }, '"1"')).toMatchObject({ tag: '"2"' })
    const stale = await send('PATCH', at, { title: 'three' }, '"1"')
    expect(stale).toMatchObject({
      status: 412,
      tag: '"2"',
      body: { message: 'The record was changed meanwhile: read it again.' },
    })
    expect(await send('PUT', at, { title: 'x' }, '"7"')).toMatchObject({ status: 412, tag: '"2"' })
    expect(await send('DELETE', at, undefined, '"1"')).toMatchObject({ status: 412, tag: '"2"' })
    expect((await send('GET', at)).body.data.attributes.title).toBe('two')
    expect(await send('PATCH', at, { title: '3' }, '"9", "2"')).toMatchObject({ tag: '"3"' })
    expect(await send('PATCH', at, { title: '4' }, ' * ')).toMatchObject({ tag: '"4"' })
    expect(await send('DELETE', at, undefined, '"4"')).toMatchObject({ status: 204 })
    expect(await send('DELETE', at, undefined, '"4"')).toMatchObject({ status: 404 })
  })

  it.each([
    ['W/"1"', 412],
    ['W/"1", "1"', 200],
    ['"one"', 412],
    ['"01"', 412],
    ['"1,2"', 412],
    ['"99999999999"', 412],
    ['""', 412],
    ['"1",,', 200],
    ['1', 400],
    ['"1', 400],
    ['"1" "2"', 400],
    ['w/"1"', 400],
    ['*, "1"', 400],
    [',', 400],
  ])('If-Match: %s is %s', async (ifMatch, status) => {
    const at = await made()
    expect((await send('PATCH', at, { note: 'x' }, ifMatch)).status).toBe(status)
  })

  it('what is hidden is 404, what is refused 403, whatever version is named', async () => {
    const closed = await made('closed')
    const [[hidden] = []] = await run(
      `insert into posts (title, created_at, updated_at) values ('hidden', '2026-01-01', '2026-01-01') returning id`,
    )
    for (const tag of ['"1"', '"2"', '*', undefined]) {
      expect((await send('PATCH', closed, { note: 'x' }, tag)).status).toBe(403)
      expect((await send('DELETE', `${path}/${String(hidden)}`, undefined, tag)).status).toBe(404)
    }
    const open = await made('open')
    // It may not become what it would be: that is no matter of its version.
    expect((await send('PATCH', open, { title: 'closed 2' }, '"1"')).status).toBe(200)
    await run(`delete from posts where title = 'closed'`)
    expect((await send('PATCH', open, { title: 'closed' }, '"2"')).status).toBe(403)
    expect((await send('PATCH', open, { title: 'closed' }, '"1"')).status).toBe(412)
    expect((await send('PATCH', open, { title: null }, '"2"')).status).toBe(422)
    expect((await send('PATCH', open, { title: null }, '"1"')).status).toBe(412)
  })

  it('where it is required, a change without one is 428, below a parent and over GraphQL, too', async () => {
    const at = await made()
    const { id } = await send('POST', `${at}/comments`, { body: 'said' })
    for (const one of [`/api/svc/comments/${id}`, `${at}/comments/${id}`]) {
      expect((await send('PATCH', one, { body: 'x' })).status).toBe(428)
      expect((await send('PUT', one, { body: 'x' })).status).toBe(428)
      expect((await send('DELETE', one)).status).toBe(428)
      expect((await send('PATCH', one, { body: 'x' }, '"7"')).status).toBe(412)
    }
    expect(await send('PATCH', `${at}/comments/${id}`, { body: 'x' }, '"1"')).toMatchObject({
      status: 200,
      tag: '"2"',
    })
    const { body } = await ask(`mutation { deleteComment(id: "${id}") }`)
    expect(body.errors[0].message).toMatch(/argument "version" of type "Int!" is required/)
    expect((await send('GET', at)).version).toBe(1)
  })

  it('GraphQL reads it, and changes the one that is named', async () => {
    const at = await made()
    const id = at.split('/').at(-1)
    const first = await ask(
      `mutation { updatePost(id: "${id}", input: { title: "two" }, version: 1) { title version } }`,
    )
    expect(first.body).toEqual({ data: { updatePost: { title: 'two', version: 2 } } })
    const stale = await ask(
      `mutation { updatePost(id: "${id}", input: { title: "x" }, version: 1) { id } }`,
    )
    expect(stale.body.errors[0].extensions.code).toBe('PRECONDITION_FAILED')
    const gone = await ask(`mutation { deletePost(id: "${id}", version: 1) }`)
    expect(gone.body.errors[0].extensions.code).toBe('PRECONDITION_FAILED')
    await send('POST', '/api/svc/comments', { body: 'said', post_id: id })
    const read = await ask(
      `{ post(id: "${id}") { version comments { version body } } postList { version } }`,
    )
    expect(read.body.data).toEqual({
      post: { version: 2, comments: [{ version: 1, body: 'said' }] },
      postList: [{ version: 2 }],
    })
    const made2 = await ask('mutation { createPost(input: { title: "new" }) { version } }')
    expect(made2.body.data).toEqual({ createPost: { version: 1 } })
    const plain = await ask(
      `mutation { updatePost(id: "${id}", input: { title: "3" }) { version } }`,
    )
    expect(plain.body.data).toEqual({ updatePost: { version: 3 } })
    expect(
      (await ask(`mutation { deletePost(id: "${id}", version: 3) }`)).body.errors,
    ).toBeUndefined()
  })

  it('Prisma, db and SQL count up, unless they count themselves', async () => {
    const at = await made()
    const version = async () => (await send('GET', at)).version
    await generatePrismaClient(project.folder)
    const loadOwn = (file: string) => load(project.folder, file)
    const { prisma } = await loadOwn('app/prisma.ts')
    await prisma.post.update({ where: { title: 'one' }, data: { note: 'prisma' } })
    expect(await version()).toBe(2)
    const { db } = await loadOwn('app/database.ts')
    await db.updateTable('posts').set({ note: 'db' }).execute()
    expect(await version()).toBe(3)
    await run(`update posts set note = 'sql'`)
    expect(await version()).toBe(4)
    await run(`update posts set note = 'own', version = 9`)
    expect(await version()).toBe(9)
    expect(await send('PATCH', at, { note: 'x' }, '"9"')).toMatchObject({ tag: '"10"' })
  })

  it('relations of a record leave its version, and what it is given counts its own', async () => {
    const at = await made()
    const tag = await project.insert('tags', {
      name: 'x',
      created_at: '2026-01-01',
      updated_at: '2026-01-01',
    })
    const attached = await send('POST', `${at}/attach/tags`, { tags: [tag] })
    expect(attached.status).toBe(201)
    expect((await send('POST', `${at}/attach/tags`, { tags: [tag] }, '"1"')).status).toBe(400)
    await send('POST', `${at}/comments`, { body: 'said' })
    expect((await send('GET', at)).version).toBe(1)
  })

  it('a column that is there counts on, whatever hooks and bodies say', async () => {
    const parts = '/api/svc/parts'
    const stored = await send('POST', parts, { version: 'A4', lock_version: 7 })
    expect(stored).toMatchObject({ status: 201, tag: '"0"', version: 0 })
    expect(stored.body.data.attributes).not.toHaveProperty('lock_version')
    const at = `${parts}/${stored.id}`
    expect(await send('PATCH', at, { version: 'A5' }, '"0"')).toMatchObject({ tag: '"1"' })
    await run(`update parts set version = 'A6'`)
    expect(await send('GET', at)).toMatchObject({ version: 2 })
    const { body } = await ask('{ partList { version lock_version } }')
    expect(body.data.partList).toEqual([{ version: 'A6', lock_version: 2 }])
  })

  it('what keeps no versions refuses the header, and so does a new record', async () => {
    const why =
      'The If-Match header cannot be honoured: no version of a record is kept here. Nothing was done.'
    const store = await send('POST', path, { title: 'x' }, '"1"')
    expect([store.status, store.body.message]).toEqual([400, why])
    const tag = await send('POST', '/api/svc/tags', { name: 'x' })
    const change = await send('PATCH', `/api/svc/tags/${tag.id}`, { name: 'y' }, '"1"')
    expect([change.status, change.body.message]).toEqual([400, why])
    expect(tag.tag).toBeNull()
    expect(tag.version).toBeUndefined()
  })

  it('cost no statement more', async () => {
    const at = await made()
    const counted = async (work: () => Promise<unknown>) => {
      const sent: string[] = []
      const stop = project.database.observe(({ sql }) => void sent.push(sql))
      await work()
      stop()
      return sent.filter(
        (sql) => /^(select|insert|update|delete)/i.test(sql) && !/tokens/.test(sql),
      ).length
    }
    expect(await counted(() => send('PATCH', at, { note: 'x' }, '"1"'))).toBe(1)
    expect(await counted(() => send('GET', at))).toBe(1)
    expect(await counted(() => send('POST', path, { title: 'new' }))).toBe(1)
    expect(await counted(() => send('DELETE', at, undefined, '"2"'))).toBe(1)
  })

  it('of many who change one version, one does, whoever writes beside them', async () => {
    const at = await made()
    const loadOwn = (file: string) => load(project.folder, file)
    const { PostRepository } = (await loadOwn('app/Repositories/PostRepository.ts')) as {
      PostRepository: Repository<unknown>
    }
    const { db } = await loadOwn('app/database.ts')
    for (let round = 0; round < 5; round++) {
      const { tag = '', version } = await send('GET', at)
      const won: number[] = []
      const all = await Promise.all([
        ...Array.from({ length: 22 }, (_, who) =>
          send('PATCH', at, { note: `${round} ${who}` }, tag ?? '').then(({ status }) => {
            if (status === 200) won.push(who)
            return status
          }),
        ),
        ...['a', 'b'].map(async (who) => {
          const { numUpdatedRows } = await db
            .updateTable('posts')
            .set({ note: who })
            .where('version', '=', version)
            .executeTakeFirst()
          if (Number(numUpdatedRows) === 1) won.push(-1)
          return 0
        }),
      ])
      expect(won).toHaveLength(1)
      expect(all.filter((status) => status !== 0 && status !== 200 && status !== 412)).toEqual([])
      expect((await send('GET', at)).version).toBe(version + 1)
    }
    expect(await PostRepository.count(null)).toBe(1)
  })
})

/** `reads: ['includeArguments']`: `include[comments][perPage]=3` says which of the related records an included list has. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const isAdmin = '(user) => user?.is_admin === true'

const manifest = {
  manifest: 'tests/features/include-arguments/manifest.ts',
  files: {
    'app/Hooks/PostHooks.ts': `import type { HooksFor, PostModel } from '#app/Models.js'

export const PostHooks: HooksFor<PostModel> = { computed: { words: () => 1 } }
`,
  },
  policies: {
    Comment: {
      show: `(user) => user?.is_admin === true || { body: { not: 'hidden' } },\n  canSee: { hint: ${isAdmin} }`,
    },
  },
}

const api = '/api/svc'

describe.each(databases)('arguments of include, on %s', (name) => {
  let project: Project
  let ann: number
  let root: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    root = await project.user('Root', { is_admin: true })
    for (const post of [1, 2, 3]) {
      await project.insert('posts', { id: post, title: `p${post}`, owner_id: ann })
      const noteable = { noteable_type: 'posts', noteable_id: post }
      await project.insert('notes', { id: post, at: post, ...noteable })
      for (let at = 1; at <= 6; at++) {
        const id = post * 10 + at
        const body = at === 6 ? 'hidden' : `c${at}`
        await project.insert('comments', { id, body, stars: at % 3, hint: `h${at}`, post_id: post })
        await project.insert('likes', { id: id * 10, at, comment_id: id })
        await project.insert('likes', { id: id * 10 + 1, at, comment_id: id })
        await project.insert('tags', { id, name: `t${at}` })
        await project.link('post_tag', { post_id: post, tag_id: id })
      }
    }
  })
  afterAll(() => project.close())

  const get = (query: string, as = ann) => project.get(`${api}/${query}`, as)
  const related = async (query: string, key: string, as = ann): Promise<string[][]> => {
    const { status, body } = await get(query, as)
    expect([query, status, body.message]).toEqual([query, 200, undefined])
    const records = Array.isArray(body.data) ? body.data : [body.data]
    return records.map((each: { relationships: Record<string, { id: string }[]> }) =>
      each.relationships[key]?.map(({ id }) => id),
    )
  }

  it.each([
    ['include[comments][perPage]=2', ['15', '14']],
    ['include[comments][perPage]=2&include[comments][page]=2', ['13', '12']],
    ['include[comments][perPage]=2&include[comments][page]=9', []],
    ['include[comments][sort]=-stars,id', ['12', '15', '11', '14', '13']],
    [
      'include[comments][sort]=stars&include[comments][sort]=id&include[comments][perPage]=3',
      ['13', '11', '14'],
    ],
    ['include[comments][search]=C4', ['14']],
    ['include[comments][stars]=1', ['14', '11']],
    ['include[comments][-stars]=1,2', ['13']],
    ['include[comments][filter][stars]=1', ['14', '11']],
    ['include[comments][stars][gte]=1&include[comments][body][in]=c2,c3', ['12']],
    ['include[comments][body]=C', ['15', '14', '13', '12', '11']],
    ['relatablePerPage=1&include[comments][perPage]=2', ['15', '14']],
  ])('of %s, each record has these', async (query, ids) => {
    const expected = [0, 10, 20].map((more) => ids.map((id) => String(Number(id) + more)))
    expect(await related(`posts?sort=id&${query}`, 'comments')).toEqual(expected)
    expect(await related(`posts/1?include=comments,owner&${query}`, 'comments')).toEqual([ids])
  })

  it('goes through a pivot, and further down', async () => {
    expect(
      await related('posts/2?include[tags][sort]=name&include[tags][perPage]=2', 'tags'),
    ).toEqual([['21', '22']])
    const query =
      'posts/1?include[comments][perPage]=1&include[comments.likes][perPage]=1&include[comments.likes][sort]=id'
    const { body } = await get(query)
    const [comment, ...others] = body.data.relationships.comments
    expect([comment.id, others]).toEqual(['15', []])
    expect(comment.relationships.likes.map(({ id }: { id: string }) => id)).toEqual(['150'])
  })

  it('goes through a record of one of several repositories', async () => {
    const { status, body } = await get(
      'notes/1?include[noteable.comments][perPage]=2&include[noteable.comments.likes][sort]=id',
    )
    expect(status).toBe(200)
    const { comments } = body.data.relationships.noteable.relationships
    expect(comments.map(({ id }: { id: string }) => id)).toEqual(['15', '14'])
    const { likes } = comments[0].relationships
    expect(likes.map(({ id }: { id: string }) => id)).toEqual(['150', '151'])
    expect((await get('notes/1?include[noteable.comments][stars]=many')).status).toBe(400)
  })

  it('goes with fields, in whatever order they are sent', async () => {
    const fields = 'fields=title&fields[comments]=stars'
    const part = 'include[comments][perPage]=1&include[comments][sort]=-stars'
    for (const query of [`${fields}&${part}`, `${part}&include=owner,comments&${fields}`]) {
      const { status, body } = await get(`posts/1?${query}`)
      expect([query, status, body.data.attributes]).toEqual([query, 200, { title: 'p1' }])
      const [comment, ...others] = body.data.relationships.comments
      expect([comment.attributes, others]).toEqual([{ stars: 2 }, []])
    }
    const { body } = await get(
      `notes/1?fields=&fields[comments]=stars&include[noteable.comments][perPage]=1`,
    )
    expect(body.data.relationships.noteable.relationships.comments[0].attributes).toEqual({
      stars: 2,
    })
  })

  // Of four repositories each time, what is below it.
  it('looks no further than a request may ask for', async () => {
    const path = Array.from({ length: 16 }, () => 'noteable.notes').join('.')
    for (const query of [`fields=at&include=${path}`, `include[${path}][perPage]=1`]) {
      const { status, body } = await get(`notes?${query}`)
      expect([status, body.message]).toEqual([
        400,
        'The include parameter is nested deeper than 8.',
      ])
    }
  })

  it('sends as many statements as the include does without them', async () => {
    const plain = await get('posts?include=comments.likes,tags')
    const some = await get(
      'posts?include=comments.likes,tags&include[comments][perPage]=2&include[comments][sort]=stars&include[tags][name]=t1',
    )
    expect(some.body.data[0].relationships.comments).toHaveLength(2)
    expect(some.statements).toHaveLength(plain.statements.length)
    for (const { sql } of some.statements.filter(({ sql: text }) => /"comments" as/.test(text))) {
      expect(sql).toMatch(/limit/i)
    }
  })

  it('is bounded as a page is', async () => {
    expect(await related('posts/1?include[comments][perPage]=1000000', 'comments')).toEqual([
      ['15', '14', '13', '12', '11'],
    ])
    for (const query of [
      'perPage]=0',
      'perPage]=x',
      'page]=0',
      'page]=9007199254740991',
      `search]=${'x'.repeat(201)}`,
      'stars]=x',
      'include]=likes',
      'fields]=body',
      'trashed]=with',
      'stars][gte]=x',
    ]) {
      const { status, body } = await get(`posts?include[comments][${query}`)
      expect([query, status]).toEqual([query, 400])
      const parameter = `include[comments][${query.split(']=')[0] ?? ''}]`
      expect(Object.keys(body.errors)).toEqual([parameter])
      expect(body.message).toMatch(/^Of include\[comments\]: The /)
    }
  })

  it('what is not a list takes none of it', async () => {
    for (const path of ['owner', 'words']) {
      const { status, body } = await get(`posts?include[${path}][perPage]=1`)
      const message = `The include[${path}] parameter asks for some of several, and is not of several.`
      expect([status, body.message]).toEqual([400, message])
    }
    expect((await get('posts?include[comments][include]=likes')).status).toBe(400)
    expect((await get('posts?include[comments][withMeta]=true')).status).toBe(400)
    expect((await get('posts?include[comments]=3')).status).toBe(400)
  })

  it('a column that is hidden is like one that there is not', async () => {
    const said = async (query: string, as = ann) => {
      const { status, body } = await get(`posts?sort=id&${query}`, as)
      // Links repeat what was asked.
      return [status, JSON.stringify(body.data ?? body)]
    }
    for (const query of [
      'include[comments][hint]=h1',
      'include[comments][sort]=hint',
      'include[comments][hint][gte]=h3',
    ]) {
      expect(await said(query)).toEqual(await said(query.replace('hint', 'nosuch')))
      expect(await said(query, root)).not.toEqual(await said(query.replace('hint', 'nosuch'), root))
    }
  })

  it('shows what GraphQL shows', async () => {
    const query =
      '{ postList { comments(first: 2, page: 2, sort: ["stars"], match: { body: "c" }) { id } } }'
    const { body } = await project.post('/graphql', { query }, ann)
    const told = body.data.postList.map((post: { comments: { id: string }[] }) =>
      post.comments.map(({ id }) => id),
    )
    const rest =
      'posts?include[comments][perPage]=2&include[comments][page]=2&include[comments][sort]=stars&include[comments][body]=c'
    expect(await related(rest, 'comments')).toEqual(told)
  })

  it('no text makes it fail', async () => {
    const names = [
      'include[',
      'include[]',
      'include[][]',
      'include[][perPage]',
      'include[comments][]',
      'include[comments][perPage][]',
      'include[comments]perPage',
      'include[comments,tags][perPage]',
      'include[comments.][perPage]',
      'include[.comments][perPage]',
      'include[__proto__][perPage]',
      'include[comments][__proto__]',
      'include[comments][sort][]',
      `include[${'comments.'.repeat(60)}x][perPage]`,
      'include[comments][perPage]',
      'include[comments][page]',
      'include[comments][search]',
      'include[ comments ][sort]',
    ]
    for (const parameter of names) {
      for (const value of [
        '',
        '1',
        '-1',
        'x',
        '1e9',
        '99999999999999999999',
        "'",
        '%',
        'stars,',
        '__proto__',
      ]) {
        for (const path of ['posts', 'posts/1']) {
          const { status } = await get(
            `${path}?${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`,
          )
          expect([parameter, value, [200, 400].includes(status)]).toEqual([parameter, value, true])
        }
      }
    }
  })

  it('any argument is answered as by a list of these records alone', async () => {
    const part = fc.record(
      {
        perPage: fc.integer({ min: 1, max: 4 }),
        page: fc.integer({ min: 1, max: 3 }),
        sort: fc.constantFrom('stars', '-stars', 'id', '-id,stars', 'stars,id'),
        search: fc.constantFrom('c', '1', 'zzz'),
        stars: fc.constantFrom('0', '1,2'),
        '-stars': fc.constantFrom('0', '1'),
        body: fc.constantFrom('c', '2'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(part, fc.constantFrom(1, 2, 3), async (asked, post) => {
        const pairs = Object.entries(asked)
        const below = await get(
          `posts/${post}/comments?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`,
        )
        const inside = pairs.map(([key, value]) => `&include[comments][${key}]=${value}`).join('')
        const [ids] = await related(`posts/${post}?include=comments${inside}`, 'comments')
        expect(ids).toEqual(below.body.data.map(({ id }: { id: string }) => id))
      }),
      { numRuns: runsOn(name, 30) },
    )
  })
})

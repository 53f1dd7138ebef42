import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Answer, type Project } from '../../support/project.js'

const policy =
  (name: string, methods: string, imports = '') =>
  () =>
    `import type { ${name}Model, PolicyFor } from '#app/Models.js'
${imports}
export const ${name}Policy: PolicyFor<${name}Model> = {
  show: () => true,
  ${methods},
}
`

const edits = {
  'manifest/users.ts': (text: string) =>
    text
      .replace('boolean,', 'boolean, integer,')
      .replace('is_admin: boolean()', 'team: integer().nullable(),\n    is_admin: boolean()'),
  'manifest/companies.ts': (text: string) =>
    text
      .replace('computed,', 'computed, integer,')
      .replace('name: text()', 'team: integer().nullable(),\n    name: text()'),
  'manifest/posts.ts': (text: string) =>
    text
      .replace('    comments: hasMany(),\n', '')
      .replace('fields: {', 'fields: {\n    comments: hasMany(),'),
  // One's own, by a column.
  'app/Policies/PhonePolicy.ts': policy(
    'Phone',
    `store: (user) => ({ user_id: user?.id }),
  update: (user) => ({ user_id: user?.id }),
  delete: () => true`,
  ),
  // One's own, by a record; and it may go to no draft.
  'app/Policies/CommentPolicy.ts': policy(
    'Comment',
    `store: (user) => ({ post: { is: { owner_id: user?.id } } }),
  update: (user) => ({ post: { is: { owner_id: user?.id } } }),
  updateTo: () => ({ post: { is: { published_at: { isNull: false } } } }),
  delete: () => true`,
  ),
  'app/Policies/CompanyPolicy.ts': policy(
    'Company',
    `store: (user) => any({ team: user?.team }, { team: { isNull: true } }),
  update: (user) => ({ team: user?.team }),
  updateTo: (user) => not({ name: 'Ours' }),
  delete: () => true,
  attachUsers: () => true,
  detachUsers: () => true,
  syncUsers: () => true,
  attachTags: () => true,
  detachTags: () => true,
  syncTags: () => true,
  canAttach: { users: (_, pivot) => pivot.is_admin === false },
  canSync: { users: (_, pivot) => pivot.is_admin === false }`,
    `import { any, not } from '#runtime/policy/condition.js'\n`,
  ),
}

describe.each(databases)('the row after a write on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number
  let posts: { own: number; draft: number; others: number }

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann', { team: 1 })
    ben = await blog.user('Ben')
    const published_at = '2026-01-01T00:00:00.000Z'
    posts = {
      own: await blog.insert('posts', { title: 'Own', owner_id: ann, published_at }),
      draft: await blog.insert('posts', { title: 'Draft', owner_id: ann }),
      others: await blog.insert('posts', { title: 'Others', owner_id: ben, published_at }),
    }
  })
  afterAll(() => blog.close())

  const all = async (path: string) => {
    const { body } = await blog.get(`/api/svc/${path}?perPage=100&sort=id`, ann)
    return body.data.map(({ id, attributes }: Record<string, object>) => ({ ...attributes, id }))
  }
  const ask = (query: string, variables: object, as: number): Promise<Answer> =>
    blog.post('/graphql', { query, variables }, as)
  /** Statements that write, but for those about tokens. */
  const writes = ({ statements }: Answer) =>
    statements.filter(({ sql, access }) => access === 'write' && !sql.includes('access_tokens'))

  /** Asks for what must not be: 403, and every record is what it was. */
  const refused = async (path: string, work: () => Promise<Answer>, sent = 1) => {
    const before = await all(path)
    const answer = await work()
    expect([answer.status, answer.body.message]).toEqual([403, 'This action is unauthorized.'])
    expect(writes(answer).length).toBeLessThanOrEqual(sent)
    expect(await all(path)).toEqual(before)
  }

  it('a record of one’s own does not change hands', async () => {
    const phone = await blog.insert('phones', { number: '1', user_id: ann })
    const at = `/api/svc/phones/${phone}`
    await refused('phones', () => blog.patch(at, { user_id: ben }, ann))
    await refused('phones', () => blog.patch(at, { number: '2', user_id: String(ben) }, ann))
    await refused('phones', () => blog.put(at, { number: '2', user_id: ben }, ann))
    await refused('phones', () => blog.patch(at, { user_id: ann }, ben))
    const same = await blog.put(at, { number: '2', user_id: ann }, ann)
    expect([same.status, same.body.data.attributes.number]).toEqual([200, '2'])
    await blog.delete(at, ann)
  })

  it('and none is made for another', async () => {
    await refused('phones', () => blog.post('/api/svc/phones', { number: '1', user_id: ben }, ann))
    const made = await blog.post('/api/svc/phones', { number: '1', user_id: ann }, ann)
    expect([made.status, made.body.data.attributes.user_id]).toEqual([201, String(ann)])
    expect(made.body.data.meta.authorizedToStore).toBe(true)
    await blog.delete(`/api/svc/phones/${made.body.data.id}`, ann)
  })

  it('no statement is sent that the write itself does not need', async () => {
    const made = await blog.post('/api/svc/phones', { number: '1', user_id: ann }, ann)
    const at = `/api/svc/phones/${made.body.data.id}`
    const named = await blog.patch(at, { user_id: ann }, ann)
    const plain = await blog.patch(at, { number: '2' }, ann)
    // The token's, the foreign key's, and the write.
    expect(made.statements).toHaveLength(3)
    expect(named.statements).toHaveLength(3)
    expect(plain.statements).toHaveLength(2)
    // A column that is not written cannot break the policy's condition on it.
    expect(writes(plain)[0]?.sql).not.toContain('exists')
    await blog.delete(at, ann)
  })

  it('what is tested may stand in a related record', async () => {
    const body = 'Yes'
    await refused('comments', () =>
      blog.post('/api/svc/comments', { body, post_id: posts.others }, ann),
    )
    const made = await blog.post('/api/svc/comments', { body, post_id: posts.own }, ann)
    expect(made.status).toBe(201)
    const at = `/api/svc/comments/${made.body.data.id}`
    // `updateTo` says otherwise than `update`: to nobody's draft, to anybody's post.
    await refused('comments', () => blog.patch(at, { post_id: posts.draft }, ann))
    const moved = await blog.patch(at, { post_id: posts.others }, ann)
    expect([moved.status, moved.body.data.attributes.post_id]).toEqual([200, String(posts.others)])
    await refused('comments', () => blog.patch(at, { post_id: posts.own }, ann))
  })

  it('the routes below a record ask the same', async () => {
    const below = (post: number) => `/api/svc/posts/${post}/comments`
    await refused('comments', () => blog.post(below(posts.others), { body: 'No' }, ann))
    const made = await blog.post(below(posts.draft), { body: 'Yes' }, ann)
    expect(made.status).toBe(201)
    const at = `${below(posts.draft)}/${made.body.data.id}`
    await refused('comments', () => blog.patch(at, { body: 'Changed' }, ann))
    // Nothing is changed, so nothing becomes what it may not be.
    expect((await blog.patch(at, {}, ann)).status).toBe(200)
  })

  it('so does GraphQL', async () => {
    const phone = await blog.insert('phones', { number: '1', user_id: ann })
    const before = await all('phones')
    const update = `mutation ($id: ID!, $input: PhoneInput!) { updatePhone(id: $id, input: $input) { id } }`
    const create = `mutation ($input: PhoneInput!) { createPhone(input: $input) { id } }`
    const input = { number: '2', user_id: String(ben) }
    for (const answer of [
      await ask(update, { id: String(phone), input }, ann),
      await ask(create, { input }, ann),
    ]) {
      expect(answer.body.errors?.[0]?.message).toBe('This action is unauthorized.')
    }
    expect(await all('phones')).toEqual(before)
    await blog.delete(`/api/svc/phones/${phone}`, ann)
  })

  it('children that are given to a record may belong to it, or nothing is written', async () => {
    const comment = await blog.insert('comments', {
      body: 'Mine',
      post_id: posts.own,
      user_id: ann,
    })
    const update = `mutation ($id: ID!, $input: PostInput!) { updatePost(id: $id, input: $input) { title } }`
    const give = (post: number, title: string) =>
      ask(update, { id: String(post), input: { title, comment_ids: [String(comment)] } }, ann)
    const no = await give(posts.draft, 'Lost')
    expect(no.body.errors?.[0]?.message).toBe('This action is unauthorized.')
    const { body } = await blog.get(`/api/svc/posts/${posts.draft}?include=comments`, ann)
    expect(body.data.attributes.title).toBe('Draft')
    expect(body.data.relationships.comments.map(({ id }: { id: string }) => id)).not.toContain(
      String(comment),
    )
    expect((await give(posts.own, 'Kept')).body.data?.updatePost).toEqual({ title: 'Kept' })
  })

  it('a pivot that is there is asked about as it is, and as it would be', async () => {
    const company = await blog.insert('companies', { name: 'Acme' })
    await blog.link('company_user', { company_id: company, user_id: ben, is_admin: true })
    const at = `/api/svc/companies/${company}`
    const attach = (body: object) => blog.post(`${at}/attach/users`, body, ann)
    const no = [
      await attach({ users: [ben], is_admin: false }),
      await attach({ users: [ben] }),
      await attach({ users: [ann], is_admin: true }),
      await blog.post(`${at}/sync/users`, { users: [ann, ben], is_admin: false }, ann),
    ]
    expect(no.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await attach({ users: [ann] })).status).toBe(201)
    expect((await attach({ users: [ann], is_admin: true })).status).toBe(403)
    const { body } = await blog.get(`${at}/users?sort=id`, ann)
    expect(body.data.map(({ pivots }: { pivots: object }) => pivots)).toEqual([
      { is_admin: false },
      { is_admin: true },
    ])
  })

  it('a user whose own value is NULL owns nothing by it', async () => {
    const company = await blog.insert('companies', { name: 'Nobody’s' })
    const at = `/api/svc/companies/${company}`
    await refused('companies', () => blog.patch(at, { name: 'Mine' }, ben))
    await refused('companies', () => blog.patch(at, { name: 'Mine', team: null }, ben))
    const made = await blog.post('/api/svc/companies', { name: 'Free' }, ben)
    expect([made.status, made.body.data.meta.authorizedToUpdate]).toEqual([201, false])
    await refused('companies', () =>
      blog.post('/api/svc/companies', { name: 'Theirs', team: 1 }, ben),
    )
    const own = await blog.post('/api/svc/companies', { name: 'Own', team: 1 }, ann)
    expect([own.status, own.body.data.meta.authorizedToUpdate]).toEqual([201, true])
    await refused('companies', () =>
      blog.patch(`/api/svc/companies/${own.body.data.id}`, { name: 'Ours' }, ann),
    )
  })
})

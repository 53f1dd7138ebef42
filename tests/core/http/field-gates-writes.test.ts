/** Gates of fields that depend on the record: no door shows, compares or writes a hidden value. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const mine = '(user) => ({ owner_id: user?.id })'
const mineByTeam = "(user) => ({ team: 'red', owner: { is: { id: user?.id ?? undefined } } })"

const manifest = {
  manifest: 'tests/core/http/manifests/field-gates-writes.ts',
  policies: {
    User: { show: `() => true,\n  canSee: { email: (user) => ({ id: user?.id }) }` },
    Card: {
      show: `() => true,\n  canSee: { memo: ${mineByTeam}, pin: ${mine}, wage: ${mineByTeam}, code: ${mine} },\n  canUpdate: { wage: ${mineByTeam} }`,
    },
    Note: { show: `() => true,\n  canSee: { memo: ${mine} },\n  canUpdate: { memo: ${mine} }` },
  },
}

const api = '/api/svc'
const secret = 'zebra'

const wheres = [
  { not: { memo: { contains: secret } } },
  { not: { memo: { contains: 'nothing' } } },
  { not: { not: { memo: { contains: secret } } } },
  { memo: { isNull: true } },
  { not: { memo: { isNull: true } } },
  { any: [{ memo: { contains: secret } }, { slug: { equals: 'q' } }] },
  { not: { any: [{ memo: { contains: secret } }, { wage: { gt: 6 } }] } },
  { not: { all: [{ memo: { contains: secret } }, { wage: { gt: 6 } }] } },
]
const noteWheres = [
  { card: { memo: { equals: secret } } },
  { not: { card: { memo: { equals: secret } } } },
  { not: { card: { wage: { gt: 50 } } } },
]

/** Addresses of lists that would tell a hidden value, if one could compare or sort by it. */
const pathsOf = (bob: number, others: number) => [
  '/cards?memo=zeb',
  '/cards?-memo=zeb',
  '/cards?-memo=q',
  '/cards?search=zeb',
  '/cards?-wage=1,50',
  '/cards?sort=memo',
  '/cards?sort=-wage',
  '/cards?sort=owner.email',
  '/cards?sort=-owner.email',
  '/cards?memo[isNull]=true',
  '/cards?wage[gte]=7',
  '/users?search=zeb',
  '/users?sort=email',
  '/cards/aggregate?groupBy=memo&select=count,sum(wage)&sort=memo',
  '/cards/aggregate?groupBy=team&select=count,max(wage)&sort=-max(wage)',
  '/cards/aggregate?groupBy=owner.email&select=count,min(wage)&sort=-owner.email',
  '/cards/aggregate?select=max(wage),avg(wage),countDistinct(memo)',
  '/notes?card.memo=zebra',
  '/notes?-card.memo=zebra',
  '/notes?card.wage[gt]=50',
  `/users/${bob}/cards?search=zeb`,
  `/users/${bob}/cards?sort=memo`,
  `/users/${bob}/notes`,
  `/cards/${others}/notes?sort=id`,
  `/cards/${others}?include=notes,owner`,
  '/users?include=cards&include[cards][sort]=-memo',
  '/users?include=cards&include[cards][memo]=zeb',
  '/cards?fields=memo,slug',
  '/cards/filters',
]

describe.each(databases)('writes and lists of hidden values, on %s', (name) => {
  let project: Project
  let [ann, bob] = [0, 0]
  let [own, others, ownerless] = [0, 0, 0]
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann', { nick: 'ann' })
    bob = await project.user('Bob', { nick: 'bob', email: `${secret}@work.org` })
    const values = { memo: secret, wage: 77, code: secret }
    own = await project.insert('cards', {
      ...{ slug: 'a', team: 'red', memo: 'mine', wage: 5, code: 'x', owner_id: ann },
    })
    others = await project.insert('cards', {
      ...{ slug: 'b', team: 'red', pin: secret, owner_id: bob },
      ...values,
    })
    ownerless = await project.insert('cards', { slug: 'c', ...values })
    await project.insert('notes', { text: 'n', memo: secret, card_id: others, owner_id: bob })
    await project.insert('notices', { text: 'n', card_id: others })
  })
  afterAll(() => project.close())

  const rowOf = async (id: number) => {
    const [row] = await project.database.query(
      { sql: `select memo, wage, code, pin from cards where id = ${id}`, access: 'read' },
      [],
    )
    return row?.map(String)
  }
  const kept = [secret, '77', secret, secret]
  const show = (answer: { status: number; body: unknown }) =>
    [answer.status, JSON.stringify(answer.body)] as const

  it('no answer to a write shows a hidden value', async () => {
    const writes = [
      project.patch(`${api}/cards/${others}`, { slug: 'b' }, ann),
      project.patch(`${api}/cards/${ownerless}`, { slug: 'c', wage: 1 }, ann),
      project.patch(
        `${api}/cards/bulk`,
        [
          { id: others, slug: 'b' },
          { id: own, slug: 'a' },
        ],
        ann,
      ),
      project.put(`${api}/cards/${others}`, { slug: 'b', team: 'red', owner_id: bob }, ann),
      project.patch(`${api}/cards/${others}?dryRun=true`, { slug: 'b' }, ann),
      project.patch(`${api}/users/${bob}`, { name: 'Bob' }, ann),
      project.put(
        `${api}/cards/${others}?include=owner,notes`,
        { slug: 'b', team: 'red', owner_id: bob, memo: null },
        ann,
      ),
      project.put(`${api}/users/${bob}/cards/${others}`, { slug: 'b', team: 'red' }, ann),
      project.patch(`${api}/users/${bob}/cards/${others}`, { memo: null, wage: 3 }, ann),
      project.post(
        '/graphql',
        {
          query: `mutation { updateCard(id: ${others}, input: { memo: null, wage: 3, pin: null }) { memo wage pin } }`,
        },
        ann,
      ),
      project.patch('/api/svc/profile', { name: 'Ann' }, ann),
      project.get('/api/svc/profile', ann),
    ]
    for (const write of writes) {
      const [status, text] = show(await write)
      expect([status, text]).toEqual([200, text])
      expect(text).not.toContain(secret)
    }
    expect(await rowOf(others)).toEqual(kept)
    expect(await rowOf(ownerless)).toEqual([...kept.slice(0, 3), 'null'])
  })

  it('an upsert keeps a value that the user does not see, and ignores a closed field', async () => {
    const one = await project.post(
      `${api}/cards?upsertBy=slug`,
      { slug: 'b', memo: null, wage: 1 },
      ann,
    )
    expect(show(one)).toEqual([200, JSON.stringify(one.body)])
    expect(JSON.stringify(one.body)).not.toContain(secret)
    expect(await rowOf(others)).toEqual(kept)
    const many = await project.post(
      `${api}/cards/bulk?upsertBy=slug`,
      [
        { slug: 'b', memo: null, wage: 1 },
        { slug: 'a', memo: 'mine', wage: 6 },
      ],
      ann,
    )
    expect([many.status, many.body.message]).toEqual([200, undefined])
    expect(JSON.stringify(many.body)).not.toContain(secret)
    expect(await rowOf(others)).toEqual(kept)
    expect(await rowOf(own)).toEqual(['mine', '6', 'x', 'null'])
  })

  it('the trash and a restored record show no hidden value', async () => {
    expect((await project.delete(`${api}/cards/${others}`, ann)).status).toBe(204)
    const trash = await project.get(`${api}/cards?trashed=only`, ann)
    expect(show(trash)[0]).toBe(200)
    expect(show(trash)[1]).toContain('"b"')
    expect(show(trash)[1]).not.toContain(secret)
    const back = await project.post(`${api}/cards/${others}/restore`, {}, ann)
    expect(show(back)[0]).toBe(200)
    expect(show(back)[1]).not.toContain(secret)
  })

  it('no list depends on a hidden value, nor does its negation', async () => {
    const all = async () => {
      const answers: unknown[] = []
      for (const path of pathsOf(bob, others))
        answers.push([path, show(await project.get(api + path, ann))])
      for (const where of wheres) {
        answers.push([where, show(await project.post(`${api}/cards/search`, { where }, ann))])
      }
      for (const where of noteWheres) {
        answers.push([where, show(await project.post(`${api}/notes/search`, { where }, ann))])
      }
      const query = `{ cardList(where: { not: { memo: { contains: "zeb" } } }) { slug memo wage code owner { email } notes { memo } } userList { email cards { memo } } }`
      answers.push(show(await project.post('/graphql', { query }, ann)))
      return answers
    }
    const before = await all()
    for (const answer of before) expect(JSON.stringify(answer)).toContain('200')
    expect(JSON.stringify(before)).not.toContain(`${secret}@`)
    const write = (sql: string) => project.database.query({ sql, access: 'write' }, [])
    await write(`update cards set memo = null, wage = null, code = 'c' where id <> ${own}`)
    await write(`update users set email = 'aaa@x.org' where id = ${bob}`)
    await write(`update notes set memo = 'other'`)
    const after = await all()
    expect(after).toEqual(before)
  })
})

/** Gates of fields that answer a condition: `canSee: { email: (user) => ({ user_id: user?.id }) }`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const own = '(user) => ({ user_id: user?.id })'
const ownOrAdmin = '(user) => user?.is_admin === true || { user_id: user?.id }'

const manifest = {
  manifest: 'tests/core/http/manifests/field-gates-by-row.ts',
  policies: {
    Letter: { show: `() => true,\n  canSee: { body: ${own} }` },
    Profile: {
      show: `() => true,\n  canSee: { email: ${ownOrAdmin}, wage: ${own}, memo: ${own} },\n  canUpdate: { wage: ${own}, memo: ${own} },\n  canAttach: { clubs: ${own} }`,
    },
  },
  files: {
    'app/Filters/ProfileFilters.ts': `import type { FiltersFor, ProfileFilterValues, ProfileModel } from '#app/Models.js'
import { not, self, sql } from '#runtime/policy/condition.js'

export const ProfileFilters: FiltersFor<ProfileModel, ProfileFilterValues> = {
  match: { known: (value) => (value ? { email: { contains: '@' } } : not({ email: { contains: '@' } })) },
  sort: { length: () => sql\`length(\${self('email')})\` },
  filters: { reachable: (value) => (value ? sql\`\${self('email')} like '%@%'\` : not(sql\`\${self('email')} like '%@%'\`)) },
}
`,
  },
}

/** The document is made of the policies as they are then. */
const edits = { 'app/Policies/UserPolicy.ts': (text: string) => text }
const api = '/api/svc'

describe.each(databases)('gates that depend on the record, on %s', (name) => {
  let project: Project
  let ann: number
  let root: number
  let mine: number
  let theirs: number

  beforeAll(async () => {
    project = await openManifest({ ...manifest, edits }, name)
    ann = await project.user('Ann')
    root = await project.user('Root', { is_admin: true })
    mine = await project.insert('profiles', {
      ...{
        nick: 'Ann',
        team: 'red',
        email: 'ann@home.org',
        wage: '10.50',
        memo: 'a',
        user_id: ann,
      },
    })
    theirs = await project.insert('profiles', {
      ...{
        nick: 'Bob',
        team: 'red',
        email: 'bob@work.org',
        wage: '99.00',
        memo: 'b',
        user_id: root,
      },
    })
    await project.insert('notes', { body: 'mine', profile_id: mine })
    await project.insert('notes', { body: 'theirs', profile_id: theirs })
    await project.insert('clubs', { name: 'Chess' })
  })
  afterAll(() => project.close())

  const get = async (path: string, as = ann) => {
    const { status, body } = await project.get(api + path, as)
    expect([path, status, body.message]).toEqual([path, 200, undefined])
    return body
  }
  const ids = async (path: string, as = ann) =>
    (await get(path, as)).data.map(({ id }: { id: string }) => Number(id))
  const found = async (where: object, repository = 'profiles') => {
    const { status, body } = await project.post(`${api}/${repository}/search`, { where }, ann)
    expect([status, body.message]).toEqual([200, undefined])
    return body.data.map(({ id }: { id: string }) => Number(id))
  }
  const write = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  const graphql = async (query: string) => {
    const { body } = await project.post('/graphql', { query }, ann)
    expect(body.errors).toBeUndefined()
    return body.data
  }

  it('the value is null in rows that do not satisfy the condition', async () => {
    const hidden = { email: null, wage: null, memo: null }
    expect((await get(`/profiles/${theirs}`)).data.attributes).toMatchObject(hidden)
    expect((await get(`/profiles/${mine}`)).data.attributes).toMatchObject({ wage: '10.50' })
    const { data } = await get('/profiles?sort=id')
    expect(data.map((each: { attributes: { email: unknown } }) => each.attributes.email)).toEqual([
      'ann@home.org',
      null,
    ])
    const { attributes } = (await get(`/profiles/${theirs}`, root)).data
    expect(attributes).toMatchObject({ email: 'bob@work.org', wage: '99.00' })
  })

  it('related records, members, some columns, exports and GraphQL show the same', async () => {
    const { data } = await get('/notes?include=profile.email&sort=id')
    const shown = data.map(
      (each: { relationships: { profile: { attributes: object; relationships: object } } }) => [
        each.relationships.profile.attributes,
        each.relationships.profile.relationships,
      ],
    )
    expect(shown).toMatchObject([
      [{ email: 'ann@home.org' }, { email: 'ann@home.org' }],
      [{ email: null }, { email: null }],
    ])
    const narrow = await get(`/notes?include=profile[nick].email&sort=id`)
    expect(narrow.data[1].relationships.profile).toMatchObject({
      attributes: { nick: 'Bob' },
      relationships: { email: null },
    })
    expect((await get(`/profiles/${theirs}?fields=email`)).data.attributes).toEqual({ email: null })
    const csv = await project.fetch(
      new Request(`http://localhost${api}/profiles?sort=id&fields=nick,email`, {
        headers: { Accept: 'text/csv', Authorization: `Bearer ${project.token(ann)}` },
      }),
    )
    expect((await csv.text()).split('\r\n')).toContain(`${theirs},Bob,`)
    expect(
      await graphql(
        `{ profile(id: ${theirs}) { nick email wage } noteList { body profile { email } } }`,
      ),
    ).toEqual({
      profile: { nick: 'Bob', email: null, wage: null },
      noteList: [
        { body: 'theirs', profile: { email: null } },
        { body: 'mine', profile: { email: 'ann@home.org' } },
      ],
    })
  })

  it('filters, searches and comparisons find only rows in which the user sees the column', async () => {
    for (const path of [
      '/profiles?email=org',
      '/profiles?email[contains]=org',
      '/profiles?wage=1,100',
      '/profiles?wage[gte]=1',
      '/profiles?search=org',
      '/profiles?known=true',
    ]) {
      expect([path, await ids(path)]).toEqual([path, [mine]])
    }
    expect(await ids('/profiles?-email=nowhere')).toEqual([mine])
    expect(await ids('/profiles?email[isNull]=false')).toEqual([mine])
    expect(await ids('/profiles?email[isNull]=true')).toEqual([])
    expect(await ids('/profiles?known=false')).toEqual([])
    const filters = (value: boolean) =>
      Buffer.from(JSON.stringify([{ key: 'reachable', value }])).toString('base64')
    expect(await ids(`/profiles?filters=${filters(true)}`)).toEqual([mine])
    expect(await ids(`/profiles?filters=${filters(false)}`)).toEqual([])
    expect(await ids('/profiles?email=org&sort=id', root)).toEqual([mine, theirs])
    expect(await found({ email: { contains: 'org' } })).toEqual([mine])
    expect(await found({ not: { email: { contains: 'org' } } })).toEqual([])
    expect(await found({ not: { not: { email: { contains: 'org' } } } })).toEqual([mine])
    expect(await ids('/notes?profile.email=bob@work.org')).toEqual([])
    expect(await ids('/notes?profile.email=ann@home.org')).toHaveLength(1)
    expect(await ids('/notes?profile.wage[gte]=1')).toHaveLength(1)
    expect(await ids('/notes?search=org')).toHaveLength(1)
    const everywhere = JSON.stringify((await get('/search?search=b')).data)
    expect(everywhere).toContain('Bob')
    expect(everywhere).not.toContain('work.org')
    expect(
      await graphql(`
        {
          profileList(where: { email: { contains: "org" } }) {
            nick
          }
        }
      `),
    ).toEqual({ profileList: [{ nick: 'Ann' }] })
  })

  it('sorts, cursors and aggregates take the value of other rows for NULL', async () => {
    expect(await ids('/profiles?sort=email')).toEqual([mine, theirs])
    expect(await ids('/profiles?sort=-email')).toEqual([mine, theirs])
    expect(await ids('/profiles?sort=-email', root)).toEqual([theirs, mine])
    expect(await ids('/profiles?sort=-length')).toEqual([mine, theirs])
    const first = await get('/profiles?sort=-wage&perPage=1&cursor=')
    expect(first.data[0].id).toBe(String(mine))
    const second = await get(`/profiles?sort=-wage&perPage=1&cursor=${first.meta.next_cursor}`)
    expect(second.data[0].id).toBe(String(theirs))
    expect(await ids('/notes?sort=-profile.email')).toEqual(await ids('/notes?sort=profile.email'))
    const sums = await get(
      '/profiles/aggregate?groupBy=team&select=count,sum(wage),countDistinct(email)',
    )
    expect(sums.data).toEqual([
      { group: { team: 'red' }, count: 2, sum: { wage: '10.50' }, countDistinct: { email: 1 } },
    ])
    const groups = await get('/profiles/aggregate?groupBy=email&select=count')
    expect(groups.data.map(({ group }: { group: object }) => group)).toContainEqual({ email: null })
    expect(JSON.stringify(groups.data)).not.toContain('bob')
    const through = await get('/notes/aggregate?groupBy=profile.email&select=count')
    expect(JSON.stringify(through.data)).not.toContain('bob')
  })

  it('no answer depends on a value that the user does not see', async () => {
    const paths = [
      ...['', '?email=o', '?-email=o', '?email[lt]=n', '?wage=0,50', '?search=o', '?known=false'],
      ...[
        '?sort=email',
        '?sort=-wage',
        '?sort=length',
        '?email[isNull]=true',
        '?wage[isNull]=false',
      ],
      ...[
        `/${theirs}`,
        `/${theirs}?include=email,notes`,
        '/filters',
        '/aggregate?groupBy=email&select=count',
      ],
      ...['/aggregate?select=sum(wage),min(wage),countDistinct(email)'],
    ].map((rest) => `/profiles${rest}`)
    const more = [
      '/notes?profile.email=x',
      '/notes?sort=profile.email',
      '/notes?include=profile&search=x',
      '/search?search=bob',
      '/search?search=org',
    ]
    const all = async () =>
      Promise.all(
        [...paths, ...more].map(async (path) => [path, (await project.get(api + path, ann)).body]),
      )
    const before = await all()
    const where = `where id = ${theirs}`
    await write(`update profiles set email = 'x', wage = null ${where}`)
    const after = await all()
    await write(`update profiles set email = 'bob@work.org', wage = 99 ${where}`)
    expect(after).toEqual(before)
  })

  it('a body writes a field where the record satisfies the condition, and it is ignored elsewhere', async () => {
    const wageOf = async (id: number) => (await get(`/profiles/${id}`, root)).data.attributes
    const changed = await project.patch(`${api}/profiles/${mine}`, { wage: '11.00' }, ann)
    expect(changed.body.data.attributes.wage).toBe('11.00')
    const ignored = await project.patch(
      `${api}/profiles/${theirs}`,
      { wage: '1.00', nick: 'Bo' },
      ann,
    )
    expect([ignored.status, ignored.body.data.attributes.nick]).toEqual([200, 'Bo'])
    expect((await wageOf(theirs)).wage).toBe('99.00')
    const bulk = [mine, theirs].map((id) => ({ id, wage: '12.00', team: 'blue' }))
    const many = await project.patch(`${api}/profiles/bulk`, bulk, ann)
    expect([many.status, many.body.message]).toEqual([200, undefined])
    expect(await wageOf(theirs)).toMatchObject({ wage: '99.00', team: 'blue' })
    expect((await get(`/profiles/${mine}`)).data.attributes).toMatchObject({ wage: '12.00' })
    await graphql(
      `mutation { updateProfile(id: ${theirs}, input: { wage: 3.5, team: "red" }) { id } }`,
    )
    expect(await wageOf(theirs)).toMatchObject({ wage: '99.00', team: 'red' })
  })

  it('what was read can be sent back: a value that is not seen stays what it is', async () => {
    const { attributes } = (await get(`/profiles/${theirs}`)).data
    const put = await project.put(`${api}/profiles/${theirs}`, { ...attributes, nick: 'Bob' }, ann)
    expect([put.status, put.body.errors]).toEqual([200, undefined])
    const bare = await project.put(`${api}/profiles/${theirs}`, { nick: 'Bob', user_id: root }, ann)
    expect([bare.status, bare.body.errors]).toEqual([200, undefined])
    const [row] = await project.database.query(
      { sql: `select email, memo from profiles where id = ${theirs}`, access: 'read' },
      [],
    )
    expect(row).toEqual(['bob@work.org', 'b'])
    const emptied = await project.patch(`${api}/profiles/${mine}`, { memo: null }, ann)
    expect(emptied.body.data.attributes.memo).toBeNull()
  })

  it('a gate of pivots that answers a condition asks it of the record', async () => {
    const attach = (id: number) =>
      project.post(`${api}/profiles/${id}/attach/clubs`, { clubs: [1] }, ann)
    expect((await attach(theirs)).status).toBe(403)
    expect((await attach(mine)).status).toBe(201)
  })

  it('full text finds and ranks by words of columns that the user sees in the row', async () => {
    const letter = (user: number, title: string, body: string) =>
      project.insert('letters', { title, body, user_id: user })
    const first = await letter(ann, 'Lamp', 'red lamp')
    const second = await letter(root, 'Lamp', 'green lamp')
    expect(await ids('/letters?search=red')).toEqual([first])
    expect(await ids('/letters?search=green')).toEqual([])
    expect((await ids('/letters?search=lamp')).toSorted()).toEqual([first, second])
    expect(await ids('/letters?search=lamp -green')).toEqual(await ids('/letters?search=lamp'))
    expect(await ids('/letters?search=lamp -red')).toEqual([second])
    expect(await ids('/letters?search=green', root)).toEqual([second])
    const before = await get('/letters?search=lamp')
    await write(`update letters set body = 'lamp lamp lamp lamp' where id = ${second}`)
    expect(await get('/letters?search=lamp')).toEqual(before)
  })

  it('the document says that the value can be null', async () => {
    const { body } = await project.get('/openapi.json')
    const schemas = body.components.schemas
    expect(schemas.Profile.properties.email.type).toEqual(['string', 'null'])
    expect(schemas.Profile.properties.nick.type).toBe('string')
  })

  it('asks the gates of an update in one statement, and no update without such a field', async () => {
    const plain = await project.patch(`${api}/profiles/${mine}`, { nick: 'Ann' }, ann)
    const gated = await project.patch(`${api}/profiles/${mine}`, { wage: '12.00' }, ann)
    expect(gated.statements.length).toBe(plain.statements.length + 1)
    const reading = await project.get(`${api}/profiles?sort=id`, ann)
    expect(reading.statements.length).toBeLessThanOrEqual(3)
  })
})

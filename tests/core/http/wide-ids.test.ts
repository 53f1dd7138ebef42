/** Ids of 64 bits and ids that are texts, with every kind of relation between them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import {
  type DatabaseName,
  databases,
  emitFixture,
  load as loadFrom,
  openFolder,
  type Project,
} from '../../support/project.js'

const beyond32 = '2147483648'
const beyond53 = '9007199254740993'
/** SQLite gives no id after the very last one. */
const far = '9223372036854770000'
const largest = '9223372036854775807'
const smallest = '-9223372036854775808'
const api = '/api/svc'

/** With policies that let everybody do everything. */
async function openAll(name: DatabaseName): Promise<Project> {
  const folder = await emitFixture('wide-ids', name)
  const policies = join(folder, 'app/Policies')
  for (const file of readdirSync(policies)) {
    const path = join(policies, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('() => false', '() => true'))
  }
  return openFolder(folder, name)
}

let project: Project
let ada: number

const headers = { 'content-type': 'application/json' }
const ok = async (method: string, path: string, body?: unknown) => {
  const options = {
    as: ada,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const answer = await project.request(method, `${api}/${path}`, options)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}
const status = async (method: string, path: string, body?: unknown) => {
  const options = {
    as: ada,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const answer = await project.request(method, `${api}/${path}`, options)
  return [answer.status, answer.body?.errors ?? null] as const
}
const ids = (body: { data: readonly { id: string }[] }) => body.data.map(({ id }) => id)
const graphql = async (query: string, variables: object = {}) => {
  const answer = await project.post('/graphql', { query, variables }, ada)
  expect(answer.body.errors, JSON.stringify(answer.body)).toBeUndefined()
  return answer.body.data
}

describe.each(databases)('wide ids on %s', (name) => {
  beforeAll(async () => {
    project = await openAll(name)
    ada = await project.user('Ada')
    // As another program would have made them.
    for (const [id, called] of [
      ['77', 'small'],
      [beyond32, 'beyond 32'],
      [beyond53, 'beyond 53'],
      [far, 'far'],
      [smallest, 'smallest'],
    ] as const) {
      await project.insert('channels', { id, name: called, bytes: id })
    }
  })
  afterAll(() => project.close())

  describe('records', () => {
    records()
  })
  describe('relations', () => {
    relations()
  })
  describe('names that their maker chooses', () => {
    named()
  })
  describe('other readers', () => {
    elsewhere(name)
  })
})

function records(): void {
  it('a record is shown by each id, to the last digit, with its numbers', async () => {
    for (const id of ['77', beyond32, beyond53, far, smallest]) {
      const { data } = await ok('GET', `channels/${id}`)
      expect([data.id, data.attributes.bytes]).toEqual([id, id])
    }
  })

  it('what no record can be called is not found', async () => {
    const texts = [
      '9223372036854775808',
      '-9223372036854775809',
      '9007199254740992',
      '05',
      '+5',
      '-0',
      '5.0',
      '1e3',
      '0x5',
      'abc',
      '99999999999999999999999999',
    ]
    for (const text of texts)
      expect([text, await status('GET', `channels/${text}`)]).toEqual([text, [404, null]])
  })

  it('the list is in the order of ids, newest first, and sorts as numbers', async () => {
    expect(ids(await ok('GET', 'channels'))).toEqual([far, beyond53, beyond32, '77', smallest])
    const order = [smallest, '77', beyond32, beyond53, far]
    expect(ids(await ok('GET', 'channels?sort=id'))).toEqual(order)
    expect(ids(await ok('GET', 'channels?sort=bytes'))).toEqual(order)
    expect(ids(await ok('GET', 'channels?sort=-bytes&perPage=2&page=2'))).toEqual([beyond32, '77'])
  })

  it('filters are exact', async () => {
    expect(ids(await ok('GET', `channels?id=${beyond53}`))).toEqual([beyond53])
    expect(ids(await ok('GET', 'channels?id=9007199254740992'))).toEqual([])
    expect(ids(await ok('GET', `channels?-id=${beyond53}&sort=id`))).toEqual([
      smallest,
      '77',
      beyond32,
      far,
    ])
    expect(ids(await ok('GET', `channels?bytes=${beyond53},${largest}&sort=id`))).toEqual([
      beyond53,
      far,
    ])
    expect(ids(await ok('GET', `channels?bytes=9007199254740994,${largest}`))).toEqual([far])
    for (const wrong of ['9223372036854775808,5', 'x,5', '1.5,2']) {
      expect((await status('GET', `channels?bytes=${wrong}`))[0]).toBe(400)
    }
  })

  it('a body names numbers as text, or as numbers that JSON keeps', async () => {
    const made = async (bytes: unknown) => {
      const { data } = await ok('POST', 'channels', { name: `made ${String(bytes)}`, bytes })
      await ok('DELETE', `channels/${data.id}`)
      return data.attributes.bytes
    }
    expect(await made(largest)).toBe(largest)
    expect(await made(smallest)).toBe(smallest)
    expect(await made('+007')).toBe('7')
    expect(await made('-0')).toBe('0')
    expect(await made(9007199254740991)).toBe('9007199254740991')
    const refused = async (bytes: unknown) =>
      (await status('POST', 'channels', { name: 'no', bytes }))[1]?.bytes
    expect(await refused('9223372036854775808')).toEqual([
      'The bytes must be a whole number of 64 bits.',
    ])
    expect(await refused('1.5')).toEqual(['The bytes must be a whole number of 64 bits.'])
    expect(await refused(9007199254740992)).toEqual([
      'The bytes must be sent as text: a JSON number is exact below 2^53.',
    ])
    for (const wrong of [true, [], {}, '', 'x']) expect(await refused(wrong)).toHaveLength(1)
  })

  it('records are changed and deleted by such an id, and no other', async () => {
    const { data } = await ok('PATCH', `channels/${beyond53}`, { bytes: '9007199254740995' })
    expect(data.attributes.bytes).toBe('9007199254740995')
    await ok('PUT', `channels/${beyond53}`, { name: 'beyond 53', bytes: beyond53 })
    expect((await ok('GET', 'channels?id=9007199254740992')).data).toEqual([])
    expect((await status('PATCH', 'channels/9007199254740992', { bytes: '1' }))[0]).toBe(404)
    await project.insert('channels', { id: '9007199254740995', name: 'next', bytes: '0' })
    await ok('DELETE', 'channels/9007199254740995')
    expect((await status('GET', 'channels/9007199254740995'))[0]).toBe(404)
    expect((await status('GET', `channels/${beyond53}`))[0]).toBe(200)
  })
}

function relations(): void {
  it('belongsTo, hasMany and their includes', async () => {
    const child = (await ok('POST', 'channels', { name: 'child', parent_id: beyond53 })).data
    expect(child.attributes.parent_id).toBe(beyond53)
    for (const wrong of ['9007199254740992', 9007199254740992, '9223372036854775808', 'x', '05']) {
      const [code, errors] = await status('POST', 'channels', { name: 'wrong', parent_id: wrong })
      expect([wrong, code, Object.keys(errors ?? {})]).toEqual([wrong, 422, ['parent_id']])
    }
    const shown = await ok('GET', `channels/${child.id}?include=parent`)
    expect(shown.data.relationships.parent.id).toBe(beyond53)
    const listed = await ok('GET', 'channels?sort=id&include=children,children_total')
    const children = listed.data.map((each: never) => each['relationships']['children'])
    expect(children.map((each: readonly unknown[]) => each.length)).toEqual(
      listed.data.map((each: { id: string }) => (each.id === beyond53 ? 1 : 0)),
    )
    expect(ids(await ok('GET', `channels/${beyond53}/children`))).toEqual([child.id])
    const nested = await ok('POST', `channels/${far}/children`, { name: 'nested' })
    expect(nested.data.attributes.parent_id).toBe(far)
    expect(
      ids(await ok('GET', `channels?parent_id=${beyond53},${far}&sort=id`)).toSorted(),
    ).toEqual([child.id, nested.data.id].toSorted())
    await ok('DELETE', `channels/${far}/children/${nested.data.id}`)
    await ok('DELETE', `channels/${child.id}`)
  })

  it('many messages of many channels, with what they belong to', async () => {
    for (const channel_id of [beyond32, beyond53, far, smallest]) {
      for (const at of [1, 2, 3, 4]) {
        const sent_at = `170000000000${at}`
        const message = await ok('POST', 'messages', {
          body: `${channel_id} ${at}`,
          sent_at,
          channel_id,
        })
        expect(message.data.attributes).toMatchObject({
          sent_at,
          channel_id,
          author_id: String(ada),
        })
      }
    }
    const { data } = await ok(
      'GET',
      'channels?sort=id&include=messages[body].author[name]&perPage=20',
    )
    const bodies = new Map(
      data.map((each: never) => [
        each['id'],
        (
          each['relationships']['messages'] as readonly {
            attributes: { body: string }
            relationships: { author: { id: string } }
          }[]
        ).map((message) => [message.attributes.body, message.relationships.author.id]),
      ]),
    )
    for (const id of [beyond32, beyond53, far, smallest]) {
      expect(bodies.get(id)).toEqual([4, 3, 2].map((at) => [`${id} ${at}`, String(ada)]))
    }
    const found = await ok(
      'GET',
      `messages?channel_id=${beyond53},${smallest}&sort=-sent_at&perPage=3`,
    )
    expect(found.meta.total).toBe(8)
    expect(ids(await ok('GET', 'messages?sent_at=1700000000001,1700000000001')).length).toBe(4)
    expect(
      (await status('POST', 'messages', { body: 'x', sent_at: -1, channel_id: '77' }))[1],
    ).toEqual({
      sent_at: ['The sent at must be at least 0.'],
    })
    await ok('POST', 'messages', { body: 'x', sent_at: 1, channel_id: 77, nonce: beyond53 })
    await ok('POST', 'messages', {
      body: 'y',
      sent_at: 1,
      channel_id: 77,
      nonce: '9007199254740992',
    })
    expect(
      (
        await status('POST', 'messages', { body: 'z', sent_at: 1, channel_id: 77, nonce: beyond53 })
      )[1],
    ).toEqual({
      nonce: ['The nonce has already been taken.'],
    })
  })

  it('attach, sync and detach, and what the pivot holds', async () => {
    await project.insert('users', {
      id: beyond53,
      name: 'Bob',
      email: 'bob@example.com',
      password: '!',
    })
    const attached = await ok('POST', `channels/${far}/attach/members`, {
      members: [beyond53, ada],
      last_read: largest,
    })
    expect(attached.data ?? attached).toEqual(
      expect.arrayContaining([{ channel_id: far, user_id: beyond53, last_read: largest }]),
    )
    const shown = await ok('GET', `channels/${far}?include=members`)
    const members = shown.data.relationships.members as readonly { id: string; pivots: unknown }[]
    expect(members.map(({ id, pivots }) => [id, pivots])).toEqual([
      [beyond53, { last_read: largest }],
      [String(ada), { last_read: largest }],
    ])
    const nested = await ok('GET', `channels/${far}/members`)
    expect(nested.data.map((each: never) => each['pivots'])).toEqual([
      { last_read: largest },
      { last_read: largest },
    ])
    expect(
      (
        await status('POST', `channels/${far}/attach/members`, {
          members: ['9007199254740992'],
        })
      )[0],
    ).toBe(422)
    await ok('POST', `channels/${far}/sync/members`, {
      members: [beyond53],
      last_read: smallest,
    })
    expect(ids(await ok('GET', `channels/${far}/members`))).toEqual([beyond53])
    await ok('POST', `channels/${far}/detach/members`, { members: beyond53 })
    expect(ids(await ok('GET', `channels/${far}/members`))).toEqual([])
  })

  it('morphs keep ids of both kinds', async () => {
    await ok('POST', 'countries', { id: 'de', name: 'Germany' })
    await ok('POST', 'events', { id: beyond53, name: 'a snowflake' })
    const made: string[] = []
    for (const [path, type, id] of [
      [`channels/${beyond53}`, 'channels', beyond53],
      [`channels/${smallest}`, 'channels', smallest],
      [`events/${beyond53}`, 'events', beyond53],
      ['countries/de', 'countries', 'de'],
    ] as const) {
      const { data } = await ok('POST', `${path}/attachments`, { url: path })
      expect(data.attributes).toMatchObject({ attachable_type: type, attachable_id: id })
      made.push(data.id)
      expect(ids(await ok('GET', `${path}/attachments`))).toEqual([data.id])
      const shown = await ok('GET', `${path}?include=attachments`)
      expect(shown.data.relationships.attachments).toHaveLength(1)
    }
    const all = await ok('GET', 'attachments?sort=id&include=attachable')
    const targets = all.data.map((each: never) => [
      each['relationships']['attachable']['type'],
      each['relationships']['attachable']['id'],
    ])
    expect(targets).toEqual(
      expect.arrayContaining([
        ['channels', beyond53],
        ['channels', smallest],
        ['events', beyond53],
        ['countries', 'de'],
      ]),
    )
    // A record that others point at stays, whoever deletes it.
    expect((await status('DELETE', `channels/${smallest}`))[0]).toBe(409)
    expect((await status('DELETE', 'countries/de'))[0]).toBe(409)
    for (const id of made) await ok('DELETE', `attachments/${id}`)
  })

  it('labels of a channel, through a morph', async () => {
    const label = (await ok('POST', 'labels', { name: 'red' })).data
    expect(label.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    const next = (await ok('POST', 'labels', { name: 'blue' })).data
    expect(ids(await ok('GET', 'labels'))).toEqual([next.id, label.id])
    await ok('POST', `channels/${beyond53}/attach/labels`, {
      labels: [label.id, next.id],
      weight: largest,
    })
    const shown = await ok('GET', `channels/${beyond53}?include=labels`)
    const labels = shown.data.relationships.labels as readonly { id: string; pivots: unknown }[]
    expect(labels.map(({ id, pivots }) => [id, pivots])).toEqual([
      [next.id, { weight: largest }],
      [label.id, { weight: largest }],
    ])
    await ok('POST', `channels/${beyond53}/sync/labels`, { labels: [] })
  })
}

function named(): void {
  it('who makes a country names its id, within bounds', async () => {
    const answer = await project.post(`${api}/countries`, { id: 'Åland:1', name: 'Åland' }, ada)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${api}/countries/${encodeURIComponent('Åland:1')}`)
    expect((await ok('GET', `countries/${encodeURIComponent('Åland:1')}`)).data.id).toBe('Åland:1')
    const refused = async (id: unknown) =>
      (await status('POST', 'countries', { id, name: 'x' }))[1]?.id
    expect(await refused(undefined)).toEqual(['The id field is required.'])
    expect(await refused('de')).toEqual(['The id has already been taken.'])
    expect(await refused('')).toHaveLength(1)
    expect(await refused('a'.repeat(13))).toEqual(['The id must not be longer than 12 characters.'])
    for (const wrong of [
      'a/b',
      'a b',
      ' a',
      'a?',
      '#a',
      '50%',
      'a\\b',
      '\u0000',
      'a\nb',
      '.',
      '..',
      'bulk',
      true,
      {},
    ]) {
      expect([wrong, (await refused(wrong))?.length]).toEqual([wrong, 1])
    }
    // A change keeps it, whatever the body says.
    const renamed = await ok('PUT', 'countries/de', { id: 'fr', name: 'Deutschland' })
    expect([renamed.data.id, renamed.data.attributes.name]).toEqual(['de', 'Deutschland'])
    expect((await status('GET', 'countries/DE'))[0]).toBe(404)
    await ok('PATCH', `../svc/users/${ada}`, { country_id: 'de' })
    const me = await ok('GET', `users/${ada}?include=country`)
    expect([me.data.attributes.country_id, me.data.relationships.country.id]).toEqual(['de', 'de'])
    expect((await status('PATCH', `users/${ada}`, { country_id: 'DE' }))[0]).toBe(422)
    expect(ids(await ok('GET', 'users?country_id=de&sort=country.name'))).toEqual([String(ada)])
    expect(ids(await ok('GET', 'countries?sort=-id'))).toEqual(['Åland:1', 'de'])
    await ok('POST', 'countries/de/attach/channels', { channels: [far, smallest] })
    expect(ids(await ok('GET', 'countries/de/channels'))).toEqual([far, smallest])
    expect(ids(await ok('GET', `channels/${far}/countries`))).toEqual(['de'])
    await ok('POST', `channels/${smallest}/detach/countries`, { countries: ['de'] })
    expect(ids(await ok('GET', 'countries/de/channels'))).toEqual([far])
  })

  it('rows that others made have any text as id', async () => {
    for (const id of ['a/b', 'a b', '50%', 'ü?#', 'filters', '"', "it's"]) {
      await project.insert('countries', { id, name: id })
      const path = `countries/${encodeURIComponent(id)}`
      expect((await ok('GET', path)).data.id).toBe(id)
      expect((await ok('PATCH', path, { name: 'changed' })).data.attributes.name).toBe('changed')
      await ok('POST', `${path}/attach/channels`, { channels: [beyond32] })
      expect(ids(await ok('GET', `${path}/channels`))).toEqual([beyond32])
      await ok('DELETE', path)
      expect((await status('GET', path))[0]).toBe(404)
    }
  })

  it('who makes a stamp may name its id; else the server does', async () => {
    const label = (await ok('POST', 'labels', { name: 'green' })).data.id
    const id = '0190c2f4-0000-7000-8000-00000000000A'
    const given = (await ok('POST', 'stamps', { id, name: 'given', label_id: label })).data
    expect(given.id).toBe(id.toLowerCase())
    const made = (await ok('POST', 'stamps', { name: 'made', label_id: label })).data
    expect(made.id).toMatch(/^[\da-f-]{36}$/)
    expect((await status('POST', 'stamps', { id, name: 'twice', label_id: label }))[1]).toEqual({
      id: ['The id has already been taken.'],
    })
    expect((await status('POST', 'stamps', { id: 'x', name: 'x', label_id: label }))[1]).toEqual({
      id: ['The id must be a UUID.'],
    })
    expect(
      (await ok('POST', `labels/${label}/stamps`, { name: 'below' })).data.attributes.label_id,
    ).toBe(label)
  })

  it('events are called what another system calls them', async () => {
    const made = await ok('POST', 'events', { id: largest, name: 'last', channel_id: beyond53 })
    expect([made.data.id, made.data.attributes.channel_id]).toEqual([largest, beyond53])
    expect((await status('POST', 'events', { name: 'none' }))[1]).toEqual({
      id: ['The id field is required.'],
    })
    expect((await status('POST', 'events', { id: 9007199254740992, name: 'rounded' }))[0]).toBe(422)
    expect((await status('POST', 'events', { id: largest, name: 'twice' }))[1]).toEqual({
      id: ['The id has already been taken.'],
    })
    await ok('DELETE', `events/${largest}`)
  })
}

function elsewhere(name: DatabaseName): void {
  it('GraphQL shows the same', async () => {
    const shown = await graphql(
      `
        query ($id: ID!) {
          channel(id: $id) {
            id
            bytes
            members {
              id
            }
            messages(first: 1, sort: ["-sent_at"]) {
              sent_at
              channel {
                id
              }
              author {
                id
              }
            }
          }
        }
      `,
      { id: beyond53 },
    )
    expect(shown.channel).toMatchObject({
      id: beyond53,
      bytes: beyond53,
      messages: [
        { sent_at: '1700000000004', channel: { id: beyond53 }, author: { id: String(ada) } },
      ],
    })
  })

  it('GraphQL makes, changes and deletes the same', async () => {
    const made = await graphql(
      `
        mutation ($input: ChannelInput!) {
          createChannel(input: $input) {
            id
            bytes
            parent_id
            parent {
              id
            }
          }
        }
      `,
      { input: { name: 'by graphql', bytes: smallest, parent_id: far } },
    )
    expect(made.createChannel).toMatchObject({
      bytes: smallest,
      parent_id: far,
      parent: { id: far },
    })
    const { id } = made.createChannel
    const changed = await graphql(
      `mutation ($id: ID!) { updateChannel(id: $id, input: { bytes: "${largest}" }) { bytes } attachChannelMembers(id: $id, ids: ["${beyond53}"], pivot: { last_read: "${smallest}" }) { members_edges { node { id } pivot { last_read } } } }`,
      { id },
    )
    expect(changed.updateChannel.bytes).toBe(largest)
    expect(changed.attachChannelMembers.members_edges).toEqual([
      { node: { id: beyond53 }, pivot: { last_read: smallest } },
    ])
    await graphql(
      `mutation ($id: ID!) { detachChannelMembers(id: $id, ids: ["${beyond53}"]) { id } deleteChannel(id: $id) }`,
      { id },
    )
  })

  it('GraphQL takes a text as an id, finds lists of ids, and refuses one that is too large', async () => {
    const country = await graphql(
      `mutation { createCountry(input: { id: "it", name: "Italy" }) { id } createEvent(input: { id: "${beyond32}", name: "x" }) { id } }`,
    )
    expect(country).toEqual({ createCountry: { id: 'it' }, createEvent: { id: beyond32 } })
    const list = await graphql(
      `{ channelList(match: { id: "${beyond53},${far}" }, sort: ["id"]) { id } country(id: "it") { name } }`,
    )
    expect(list).toEqual({
      channelList: [{ id: beyond53 }, { id: far }],
      country: { name: 'Italy' },
    })
    const wrong = await project.post(
      '/graphql',
      { query: '{ channel(id: "9223372036854775808") { id } }' },
      ada,
    )
    expect(wrong.body.data.channel).toBeNull()
  })

  it('who signs in may be called so', async () => {
    const bob = { email: 'carol@example.com', password: 'a long password', name: 'Carol' }
    await project.insert('users', {
      id: '9007199254740997',
      name: 'Dan',
      email: 'dan@example.com',
      password: '!',
    })
    if (name === 'postgresql') {
      const sql = `select setval(pg_get_serial_sequence('users', 'id'), 9007199254740997)`
      await project.database.query({ sql, access: 'write' }, [])
    }
    const registered = await project.post('/api/register', {
      ...bob,
      password_confirmation: bob.password,
    })
    expect(registered.status, JSON.stringify(registered.body)).toBe(200)
    expect(BigInt(registered.body.id)).toBeGreaterThan(BigInt('9007199254740997'))
    const signedIn = await project.post('/api/login', bob)
    expect(signedIn.status).toBe(200)
    const token = { Authorization: `Bearer ${signedIn.body.meta.token}` }
    const profile = await project.request('GET', '/api/svc/profile', { headers: token })
    expect(profile.body.data.id).toBe(registered.body.id)
    const message = await project.request('POST', `${api}/messages`, {
      headers: { ...token, ...headers },
      body: JSON.stringify({ body: 'hers', sent_at: 1, channel_id: '77' }),
    })
    expect(message.body.data.attributes.author_id).toBe(registered.body.id)
  })

  it('`db` reads and writes all digits, and counts as ever', async () => {
    const { db } = await loadFrom(project.folder, 'app/database.ts')
    const row = await db
      .selectFrom('channels')
      .selectAll()
      .where('id', '=', beyond53)
      .executeTakeFirstOrThrow()
    expect([row.id, row.bytes]).toEqual([beyond53, beyond53])
    const made = await db
      .insertInto('channels')
      .values({
        name: 'by db',
        bytes: largest,
        created_at: row.created_at,
        updated_at: row.updated_at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    expect([typeof made.id, made.bytes]).toEqual(['string', largest])
    const { rows } = await db
      .selectFrom('channels')
      .select(({ fn }: never) =>
        (fn as { countAll: () => { as: (name: string) => never } }).countAll().as('rows'),
      )
      .executeTakeFirstOrThrow()
    expect(Number(rows)).toBeGreaterThan(5)
    await db.deleteFrom('channels').where('id', '=', made.id).execute()
  })

  it('Prisma has BigInts, and finds, makes and changes the same rows', async () => {
    await generatePrismaClient(project.folder)
    const { prisma } = await loadFrom(project.folder, 'app/prisma.ts')
    const found = await prisma.channel.findUnique({ where: { id: BigInt(beyond53) } })
    expect([found.id, found.bytes]).toEqual([BigInt(beyond53), BigInt(beyond53)])
    const data = { name: 'by prisma', bytes: BigInt(largest), parent_id: BigInt(far) }
    const made = await prisma.channel.create({ data })
    expect(typeof made.id).toBe('bigint')
    const shown = await ok('GET', `channels/${made.id}?include=parent`)
    expect(shown.data.attributes).toMatchObject({ bytes: largest, parent_id: far })
    await prisma.channel.update({ where: { id: made.id }, data: { bytes: BigInt(smallest) } })
    expect((await ok('GET', `channels/${made.id}`)).data.attributes.bytes).toBe(smallest)
    const label = await prisma.label.create({ data: { name: 'by prisma' } })
    expect((await ok('GET', `labels/${label.id}`)).data.attributes.name).toBe('by prisma')
    await prisma.channel.delete({ where: { id: made.id } })
    await prisma.$disconnect()
  })
}

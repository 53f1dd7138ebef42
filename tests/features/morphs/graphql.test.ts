/** A relation with a record of one of several repositories, which GraphQL calls a union. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { ask } from '../graphql/ask.js'

const policies = { Animal: { show: '(user) => ({ owner_id: user?.id })' } }

const query = `{ noteList { body subject {
  __typename
  ... on Animal { id name owner { name } }
  ... on Room { label owner { email } notes(first: 2) { body subject { ... on Room { name } } } }
} } }`

describe.each(databases)('a union of records on %s', (name) => {
  let project: Project
  let ada: number
  let rex: string
  let room: string

  const made = async (path: string, body: object): Promise<string> => {
    const answer = await project.post(`/api/svc/${path}`, body, ada)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id
  }

  beforeAll(async () => {
    project = await openManifest(
      { manifest: 'tests/features/morphs/manifests/graphql.ts', policies },
      name,
    )
    ada = await project.user('Ada')
    const bob = await project.user('Bob')
    rex = await made('animals', { name: 'Rex', owner_id: ada })
    room = await made('rooms', { name: 'One', owner_id: bob })
    await made(`animals/${rex}/notes`, { body: 'of Rex' })
    await made(`rooms/${room}/notes`, { body: 'of One' })
    await made('notes', { body: 'alone' })
    const tom = await project.insert('animals', { name: 'Tom', owner_id: bob })
    await project.insert('notes', {
      body: 'of Tom',
      subject_type: 'animals',
      subject_id: String(tom),
    })
  })
  afterAll(() => project.close())

  it('answers each record as what it is, and what one may not see as nothing', async () => {
    const { body } = await ask(project, query, { as: ada })
    expect(body.errors).toBeUndefined()
    const found = Object.fromEntries(
      body.data.noteList.map((each: { body: string; subject: unknown }) => [
        each.body,
        each.subject,
      ]),
    )
    expect(found).toEqual({
      'of Rex': { __typename: 'Animal', id: rex, name: 'Rex', owner: { name: 'Ada' } },
      'of One': {
        __typename: 'Room',
        label: 'green',
        owner: { email: 'bob@example.test' },
        notes: [{ body: 'of One', subject: { name: 'One' } }],
      },
      alone: null,
      'of Tom': null,
    })
  })

  it('costs as many statements for many records as for one', async () => {
    const before = (await ask(project, query, { as: ada })).sql.length
    for (let more = 0; more < 5; more++) {
      const animal = await made('animals', { name: `More ${more}`, owner_id: ada })
      await made(`animals/${animal}/notes`, { body: `more ${more}` })
    }
    const { sql, body } = await ask(project, query, { as: ada })
    expect(body.data.noteList).toHaveLength(9)
    expect(sql).toHaveLength(before)
  })

  it('is answered for one record, after a write, and by a name that nothing else has', async () => {
    const create = `mutation { createNote(input: { body: "new" }) { body subject { __typename } } }`
    expect((await ask(project, create, { as: ada })).body.data).toEqual({
      createNote: { body: 'new', subject: null },
    })
    const box = await made(`rooms/${room}/bin`, { body: 'in' })
    const one = `query ($id: ID!) { card(id: $id) { input { ... on Room { name } } } __type(name: "CardInputRecord") { kind possibleTypes { name } } }`
    expect((await ask(project, one, { as: ada, variables: { id: box } })).body.data).toEqual({
      card: { input: { name: 'One' } },
      __type: { kind: 'UNION', possibleTypes: [{ name: 'Room' }] },
    })
  })
})

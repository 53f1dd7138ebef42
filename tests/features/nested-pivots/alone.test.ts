/** Many records with their many-to-many relation, where no other feature of the repository looks at bodies. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'

const manifest = 'tests/features/nested-pivots/alone-manifest.ts'

describe.each(databases)('a list of teams on %s', (name) => {
  let project: Project
  let ann: number
  let bob: number

  beforeAll(async () => {
    project = await openManifest({ manifest }, name)
    ann = await project.user('Ann')
    bob = await project.user('Bob')
  })
  afterAll(() => project.close())

  const path = '/api/svc/teams/bulk'
  const idsOf = ({ body }: Answer) => body.data.map(({ id }: { id: string }) => id)
  const members = async (id: string) => {
    const { body } = await project.get(`/api/svc/teams/${id}?include=users`, ann)
    return body.data.relationships.users
      .map((user: { id: string; pivots: { note: string | null } }) => [user.id, user.pivots.note])
      .toSorted()
  }

  it('is stored with who belongs to each, and updated', async () => {
    const stored = await project.post(
      path,
      [
        { name: 'Red', users: [{ id: String(ann), pivots: { note: 'first' } }] },
        { name: 'Blue', users: [{ id: String(ann) }, { id: String(bob) }] },
        { name: 'Nobody' },
      ],
      ann,
    )
    expect([stored.status, stored.body.errors]).toEqual([201, undefined])
    const [red, blue, nobody] = idsOf(stored)
    expect(await members(red)).toEqual([[String(ann), 'first']])
    expect(await members(blue)).toHaveLength(2)
    expect(await members(nobody)).toEqual([])
    const users = [{ id: String(bob), pivots: { note: 'now' } }]
    const updated = await project.patch(
      path,
      [
        { id: red, users },
        { id: blue, users: [] },
      ],
      ann,
    )
    expect([updated.status, updated.body.errors]).toEqual([200, undefined])
    expect(await members(red)).toEqual([[String(bob), 'now']])
    expect(await members(blue)).toEqual([])
  })

  it('is upserted with them', async () => {
    const list = [{ name: 'Green', users: [{ id: String(ann) }] }]
    const made = await project.post(`${path}?upsertBy=name`, list, ann)
    expect([made.status, made.body.errors]).toEqual([201, undefined])
    expect(await members(idsOf(made)[0])).toEqual([[String(ann), null]])
    const users = [{ id: String(bob) }]
    const again = await project.post(`${path}?upsertBy=name`, [{ name: 'Green', users }], ann)
    expect(again.status).toBe(200)
    expect(await members(idsOf(again)[0])).toEqual([[String(bob), null]])
  })

  it('is refused with the place of what is wrong', async () => {
    const users = [{ id: String(ann) }, { id: String(ann) }]
    const { status, body } = await project.post(path, [{ name: 'Twice', users }], ann)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['0.users.1.id']])
  })
})

/** A list of children in a body, where the gate of their foreign key answers a condition: every child must satisfy it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const manifest = (hooks: string) => ({
  manifest: 'tests/features/child-lists/manifests/gates.ts',
  change: (text: string) => text.replace('things: repository({', `things: repository({ ${hooks}`),
  policies: {
    Thing: {
      update: `() => true,\n  canUpdate: { box_id: (user) => user?.is_admin === true || (user !== null && { user_id: user.id }) }`,
    },
  },
  files:
    hooks === ''
      ? {}
      : {
          'app/Hooks/ThingHooks.ts': `import type { HooksFor, ThingModel } from '#app/Models.js'

export const ThingHooks: HooksFor<ThingModel> = {
  beforeUpdate: (_context, thing) => ({ name: thing.name }),
}
`,
        },
})

/** With a hook, children are changed one by one. */
const cases = databases.flatMap((database) =>
  ['', 'hooks: true,'].map((hooks) => ({ database, hooks })),
)

describe.each(cases)('on $database, $hooks', ({ database, hooks }) => {
  let project: Project
  let ann: number
  let root: number
  let box: number
  let things: { mine: number; other: number; theirs: number }

  beforeAll(async () => {
    project = await openManifest(manifest(hooks), database)
    ann = await project.user('Ann')
    root = await project.user('Root', { is_admin: true })
  })
  beforeEach(async () => {
    box = await project.insert('boxes', { name: 'Box' })
    const thing = (name: string, user: number) => project.insert('things', { name, user_id: user })
    things = {
      mine: await thing('mine', ann),
      other: await thing('other', ann),
      theirs: await thing('theirs', root),
    }
  })
  afterAll(() => project.close())

  const inBox = async (id: number | string = box) => {
    const { body } = await project.get(`/api/svc/boxes/${id}?include=things`, root)
    return body.data.relationships.things.map((each: { id: string }) => Number(each.id)).toSorted()
  }
  /** `FORBIDDEN`, or the id of the box. */
  const mutate = async (as: number, mutation: string): Promise<string> => {
    const { body } = await project.post(
      '/graphql',
      { query: `mutation { box: ${mutation} { id } }` },
      as,
    )
    return body.errors?.[0].extensions.code ?? body.data.box.id
  }
  const put = (as: number, ...ids: number[]) =>
    mutate(as, `updateBox(id: ${box}, input: { name: "New", thing_ids: [${ids.join()}] })`)
  const make = (as: number, ...ids: number[]) =>
    mutate(as, `createBox(input: { name: "Second", thing_ids: [${ids.join()}] })`)

  it('moves children that satisfy it', async () => {
    const { mine, other } = things
    expect(await put(ann, mine, other)).toBe(String(box))
    expect(await inBox()).toEqual([mine, other].toSorted())
    expect(await inBox(await make(ann, mine))).toEqual([mine])
  })

  it('moves none where one of them does not, and writes nothing else', async () => {
    const { mine, theirs } = things
    expect(await put(ann, mine, theirs)).toBe('FORBIDDEN')
    expect(await make(ann, theirs)).toBe('FORBIDDEN')
    expect(await inBox()).toEqual([])
    expect((await project.get(`/api/svc/boxes/${box}`, root)).body.data.attributes.name).toBe('Box')
  })

  it('moves all for who may write the field of every record', async () => {
    const { mine, theirs } = things
    expect(await put(root, mine, theirs)).toBe(String(box))
    expect(await inBox()).toEqual([mine, theirs].toSorted())
  })

  it('does not open the field by a field of the same body', async () => {
    const { theirs } = things
    const { status } = await project.patch(
      `/api/svc/things/${theirs}`,
      { box_id: box, user_id: ann },
      ann,
    )
    expect(status).toBe(200)
    expect(await inBox()).toEqual([])
  })
})

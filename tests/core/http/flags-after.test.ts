/** A write answers rights that depend on other tables. */
import { expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases } from '../../support/project.js'

const manifest = 'tests/core/http/manifests/flags-after.ts'

it.each(databases)('a write answers the rights that reading answers, on %s', async (name) => {
  // Related records cannot be asked about in RETURNING.
  const rights = `(user) => any({ owner_id: user?.id, name: 'Open' }, { owner_id: user?.id, items: { some: { name: 'key' } } })`
  const policies = { List: { update: '() => true', updateTo: '() => true', delete: rights } }
  const project = await openManifest({ manifest, policies }, name)
  const ada = await project.user('Ada')
  await project.insert('lists', { name: 'none', owner_id: ada })
  const list = await project.insert('lists', { name: 'with', owner_id: ada })
  // Its own id is that of the other list.
  await project.insert('items', { name: 'key', list_id: list })
  for (const id of [list - 1, list]) {
    const path = `/api/svc/lists/${id}`
    const { body } = await project.patch(path, { name: 'renamed' }, ada)
    expect(body.data.meta).toEqual((await project.get(path, ada)).body.data.meta)
    expect(body.data.meta.authorizedToDelete).toBe(id === list)
  }
  await project.close()
})

it.each(databases)(
  'rights that a hook makes are in the answer of the write, on %s',
  async (name) => {
    const rights = `(user) => ({ items: { some: { name: user?.name } } })`
    const policies = {
      List: { show: rights, update: '() => true', updateTo: '() => true', delete: rights },
    }
    const hooks = `import { db } from '#app/database.js'
import type { HooksFor, ListModel } from '#app/Models.js'
export const ListHooks: HooksFor<ListModel> = {
  afterStore: async ({ user }, list) => {
    const now = list.created_at
    await db.insertInto('items').values({ name: user?.name ?? '', list_id: list.id, created_at: now, updated_at: now }).execute()
  },
}
`
    const files = { 'app/Hooks/ListHooks.ts': hooks }
    const change = (text: string) =>
      text.replace('lists: repository({', 'lists: repository({ hooks: true,')
    const project = await openManifest({ manifest, change, policies, files }, name)
    const ada = await project.user('Ada')
    const { status, body } = await project.post(
      '/api/svc/lists',
      { name: 'new', owner_id: ada },
      ada,
    )
    expect(status, JSON.stringify(body)).toBe(201)
    const { meta, id } = body.data
    expect([meta.authorizedToShow, meta.authorizedToDelete]).toEqual([true, true])
    expect((await project.get(`/api/svc/lists/${id}`, ada)).body.data.meta).toEqual(meta)
    await project.close()
  },
)

/** What a write answers of rights that depend on other tables. */
import { expect, it } from 'vitest'
import { openManifest, users } from '../support/own-manifest.js'
import { databases } from '../support/project.js'

const repositories = `${users}
  lists: repository({ fields: { name: text() }, related: { owner: belongsTo('users'), items: hasMany() } }),
  items: repository({ fields: { name: text() }, related: { list: belongsTo() } }),`

it.each(databases)('a write answers the rights that reading answers, on %s', async (name) => {
  // Related records cannot be asked about in RETURNING.
  const rights = `(user) => any({ owner_id: user?.id, name: 'Open' }, { owner_id: user?.id, items: { some: { name: 'key' } } })`
  const policies = { List: { update: '() => true', updateTo: '() => true', delete: rights } }
  const project = await openManifest({ repositories, policies }, name)
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

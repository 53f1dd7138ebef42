/** What the compiler says of a client whose records can be in a trash. */
import { expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { checkClient, clientOf } from '../client/check-client.js'

const uses = `
import { createApi } from './client/client.js'
import * as posts from './client/posts.js'
import * as tags from './client/tags.js'
const api = createApi({ baseUrl: '' })
const { data } = await posts.index(api, { trashed: 'only', include: ['owner'] })
export const since: string | null | undefined = data[0]?.attributes.removed_at
export const title: string = (await posts.restore(api, '1')).attributes.title
await posts.forceDelete(api, '1')
export const mayRestore: boolean | undefined = data[0]?.meta.authorizedToRestore
export const mayForce: boolean = (await posts.show(api, '1')).meta.authorizedToForceDelete
export const below: boolean | undefined = data[0]?.relationships.owner?.meta?.authorizedToRestore
// @ts-expect-error: tags have no trash
export const none = (await tags.show(api, '1')).meta.authorizedToRestore
// @ts-expect-error: no such way
await posts.index(api, { trashed: 'all' })
// @ts-expect-error: tags are deleted for good
await tags.index(api, { trashed: 'only' })
// @ts-expect-error: the same
await tags.restore(api, '1')
`

test('records are asked for, brought back and deleted for good, where there is a trash', async () => {
  const blueprint = await blueprintOf('features/soft-deletes', 'sqlite')
  const files = await clientOf(blueprint, 'client', { hasQueries: true })
  const inFolder = files.map(({ path, content }) => {
    return { path: path.startsWith('client/') ? path : `client/${path}`, content }
  })
  expect(checkClient([...inFolder, { path: 'uses.ts', content: uses }])).toBe('')
})

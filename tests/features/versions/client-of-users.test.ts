/** A client whose users have versions and a trash: what their profile and their trash take. */
import { expect, test } from 'vitest'
import { defineManifest, email, password, repository, text } from '../../../generator/index.js'
import { buildBlueprint } from '../../support/with-features.js'
import { checkClient, clientOf } from '../client/check-client.js'

const sources = { repositories: new Map(), locate: () => ({ file: 'm.ts', line: 1, column: 1 }) }

function clientWith(versioned: true | 'required') {
  const users = repository({
    versioned,
    softDeletes: true,
    fields: { name: text(), email: email().unique(), password: password() },
  })
  const manifest = defineManifest({ database: 'sqlite', repositories: { users } })
  const built = buildBlueprint(manifest, { sources, userModel: null })
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  return clientOf(built.blueprint, 'client', { hasQueries: true })
}

const uses = (changes: string) => `
import { createApi } from './client/client.js'
import * as auth from './client/auth.js'
import * as users from './client/users.js'
const api = createApi({ baseUrl: '' })
const { meta } = await users.show(api, '1')
export const known: [number, boolean] = [meta.version, meta.authorizedToRestore]
await auth.patchOwnProfile(api, { name: 'a' }, { version: meta.version })
await users.restore(api, '1', { version: meta.version })
await users.restore(api, '1')
await users.forceDelete(api, '1', { version: 2 })
${changes}
`

test.each([
  [true, `await auth.patchOwnProfile(api, { name: 'a' })`],
  [
    'required',
    `// @ts-expect-error: which version\nawait auth.patchOwnProfile(api, { name: 'a' })`,
  ],
] as const)('where versions are %s', async (versioned, changes) => {
  const files = (await clientWith(versioned)).map(({ path, content }) => ({
    path: path.startsWith('client/') ? path : `client/${path}`,
    content,
  }))
  expect(checkClient([...files, { path: 'uses.ts', content: uses(changes) }])).toBe('')
})

/** What a project with actions compiles to, whatever its repositories are like. */
import { expect, test } from 'vitest'
import { emitManifestText, manifestText, users } from '../../support/own-manifest.js'
import { typeCheck } from '../../support/type-check.js'

test('only the policies of repositories with actions have their methods', async () => {
  const repositories = `${users}
    tags: repository({ fields: { name: text() }, actions: { merge: action({ input: { into: text().nullable().default('none') } }) } }),
    twins: repository({ fields: { name: text() } }),
    products: repository({ fields: { name: text(), price: text() }, getters: { worth: getter<number>() } }),`
  const folder = await emitManifestText(manifestText(repositories, 'sqlite'), {})
  expect(typeCheck(folder)).toBe('')
})

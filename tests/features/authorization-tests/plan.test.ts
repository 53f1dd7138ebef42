import { expect, test } from 'vitest'
import { blueprintOf, fixtures, without } from '../../core/plan/fixture.js'
import { renderProject } from '../../support/with-features.js'

const options = { name: 'app', svckit: '10.0.0' }

test.each(fixtures)('%s without authorization tests has nothing of them', async (fixture) => {
  const blueprint = without(await blueprintOf(fixture, 'sqlite'), 'authorizationTests')
  for (const { path, content } of await renderProject(blueprint, options)) {
    expect(path).not.toMatch(/roles\.ts|authorization/)
    expect(content, path).not.toMatch(/authorization\.(md|test)|authorizationTests|tests\/roles/)
  }
})

test('they add files of their own, and lines to what tests know of repositories and to the two that explain the project', async () => {
  const blueprint = await blueprintOf('blog', 'sqlite')
  const untested = without(blueprint, 'authorizationTests')
  const before = new Map(
    (await renderProject(untested, options)).map(({ path, content }) => [path, content]),
  )
  const files = await renderProject(blueprint, options)
  const added = files
    .filter(({ path }) => !before.has(path) && !path.startsWith('runtime/testing/authorization/'))
    .map(({ path, owner }) => `${owner} ${path}`)
  expect(added.toSorted()).toEqual(['svc tests/authorization.test.ts', 'you tests/roles.ts'])
  const changed = files.filter(
    ({ path, content }) => before.has(path) && before.get(path) !== content,
  )
  const paths = changed.map(({ path }) => path).filter((path) => path !== 'runtime/README.md')
  expect(paths).toEqual(['tests/repositories.ts', 'README.md', 'AGENTS.md'])
})

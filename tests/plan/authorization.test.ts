import { expect, test } from 'vitest'
import { renderProject } from '../../generator/plan/render.js'
import { blueprintOf, fixtures } from './fixture.js'

const options = { name: 'app', svckit: '10.0.0' }

test.each(fixtures)('%s without authorization tests has nothing of them', async (fixture) => {
  const { authorizationTests: _, ...blueprint } = await blueprintOf(fixture, 'sqlite')
  for (const { path, content } of await renderProject(blueprint, options)) {
    expect(path).not.toMatch(/matrix|roles\.ts|authorization/)
    expect(content, path).not.toMatch(/authorization\.(md|test)|authorizationTests|tests\/roles/)
  }
})

const names = [
  'bodies',
  'cells',
  'changes',
  'decisions',
  'fields',
  'graphql-request',
  'graphql',
  'links',
  'outcome',
  'own',
  'rest',
  'scene',
  'types',
]

test('they add files of their own, and lines to the two that explain the project', async () => {
  const blueprint = await blueprintOf('blog', 'sqlite')
  const { authorizationTests: _, ...without } = blueprint
  const before = new Map(
    (await renderProject(without, options)).map(({ path, content }) => [path, content]),
  )
  const files = await renderProject(blueprint, options)
  const added = files
    .filter(({ path }) => !before.has(path))
    .map(({ path, owner }) => `${owner} ${path}`)
  expect(added.toSorted()).toEqual([
    'svc tests/authorization.test.ts',
    ...names.map((name) => `svc tests/matrix/${name}.ts`),
    'you tests/roles.ts',
  ])
  const changed = files.filter(
    ({ path, content }) => before.has(path) && before.get(path) !== content,
  )
  expect(changed.map(({ path }) => path)).toEqual(['README.md', 'AGENTS.md'])
})

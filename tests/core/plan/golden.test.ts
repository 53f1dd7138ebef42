import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { renderFixture, root } from './fixture.js'

/** The files of the blog's manifest, to be read like code: `UPDATE_GOLDEN=1` writes them. */
const expected = join(root, 'fixtures/blog/expected')
const rendered = await renderFixture('blog', 'sqlite')
// The runtime is the same text in every project; runtime-files.test.ts compares it.
const files = rendered.filter(({ path }) => !/^runtime\/(?!README\.md$)/.test(path))

if (process.env['UPDATE_GOLDEN'] !== undefined) {
  rmSync(expected, { recursive: true, force: true })
  for (const { path, content } of files) {
    mkdirSync(dirname(join(expected, path)), { recursive: true })
    writeFileSync(join(expected, path), content)
  }
}

const known = readdirSync(expected, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(expected.length + 1)
      .replaceAll('\\', '/'),
  )

test('the blog has these files, and no others', () => {
  expect(files.map(({ path }) => path).toSorted()).toEqual(known.toSorted())
})

test.each(files)('$path', ({ path, content }) => {
  expect(content).toBe(readFileSync(join(expected, path), 'utf8'))
})

/** The features' lines in files, for both databases; the rest is as in the blog. */
const parts = [
  'app/app.ts',
  'app/database.ts',
  'app/GraphQL/endpoint.ts',
  'app/Hooks/AccountHooks.ts',
  'app/insideHooks.ts',
  'app/Models.ts',
  'app/prisma.ts',
  'app/Repositories/AccountRepository.ts',
  'config/svc.ts',
]

const ofLedger = (
  await Promise.all(
    (['sqlite', 'postgresql'] as const).map(async (database) => {
      const all = await renderFixture('ledger', database)
      const some = all.filter(({ path }) => parts.includes(path))
      return some.map(({ path, content }) => ({ path: join(database, path), content }))
    }),
  )
).flat()

test.each(ofLedger)('of the ledger, $path', ({ path, content }) => {
  const file = join(root, 'fixtures/ledger/expected', path)
  if (process.env['UPDATE_GOLDEN'] !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  expect(content).toBe(readFileSync(file, 'utf8'))
})

import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../plan/fixture.js'

/** What a browser loads for this, of the blog's client. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${root}/fixtures/blog-client`, loader: 'ts' },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
    external: ['@tanstack/react-query'],
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('\n')
}

const size = (text: string) => gzipSync(text).length

test('the core is at most 3 KB, and asks nothing of Node', async () => {
  const core = await bundled("export * from './client.js'")
  expect(size(core)).toBeLessThanOrEqual(3 * 1024)
  expect(core).not.toMatch(/\bnode:|\brequire\(|\bprocess\b|\bBuffer\b/)
})

test('one function brings nothing of the others along', async () => {
  const core = await bundled("export { createApi, SvcError } from './client.js'")
  const one = await bundled("import * as posts from './posts.js'\nconsole.log(posts.show)")
  const all = await bundled("export * from './posts.js'")
  expect(one).not.toMatch(/attach|comments|DELETE|POST/)
  expect(size(one)).toBeLessThan(1500)
  expect(size(one)).toBeLessThan(size(all))
  expect(size(core)).toBeLessThan(1500)
})

test('queries and rules bundle for browsers too', async () => {
  const queries = await bundled("export * from './posts.queries.js'")
  expect(queries).toContain('@tanstack/react-query')
  const rules = await bundled(
    "export * from './users.rules.js'\nexport { errorsIn } from './rules/errors.js'",
  )
  expect(rules).not.toMatch(/\bnode:/)
})

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { clientSettings } from '../../../generator/features/client/check.js'
import { clientFiles } from '../../../generator/features/client/files.js'
import { usualFacts } from '../../../generator/features/openapi/facts.js'
import { blueprintOf, root } from '../../core/plan/fixture.js'
import { describeProject } from '../../support/with-features.js'

/** The client of the blog with all that there is, to be read like code: `UPDATE_GOLDEN=1` writes it anew. */
const expected = join(root, 'fixtures/blog-client')
const project = describeProject(await blueprintOf('blog', 'sqlite'), {
  ...{ name: 'blog', svckit: '10.0.0' },
  facts: { openapi: usualFacts(true) },
})
const files = await clientFiles(project, clientSettings('client', true, true))
const nameOf = (path: string) => path.replace('client/', '')

if (process.env['UPDATE_GOLDEN'] !== undefined) {
  rmSync(expected, { recursive: true, force: true })
  for (const { path, content } of files) {
    mkdirSync(dirname(join(expected, nameOf(path))), { recursive: true })
    writeFileSync(join(expected, nameOf(path)), content)
  }
}

describe('the client of the blog', () => {
  const known = readdirSync(expected, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(expected.length + 1))

  test('has these files, and no others', () => {
    const names = known.map((name) => name.replaceAll('\\', '/'))
    expect(files.map(({ path }) => nameOf(path)).toSorted()).toEqual(names.toSorted())
  })

  test.each(files)('$path', ({ path, content }) => {
    expect(content).toBe(readFileSync(join(expected, nameOf(path)), 'utf8'))
  })
})

/** Returns the code that a browser loads for this, of the blog's client. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: expected, loader: 'ts' },
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

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientSettings } from '../../generator/blueprint/client.js'
import { clientFiles } from '../../generator/plan/client/files.js'
import { usualFacts } from '../../generator/plan/openapi/facts.js'
import { describeProject } from '../../generator/plan/project.js'
import { blueprintOf, root } from '../plan/fixture.js'

/** The client of the blog with all that there is, to be read like code: `UPDATE_GOLDEN=1` writes it anew. */
const expected = join(root, 'fixtures/blog-client')
const project = describeProject(await blueprintOf('blog', 'sqlite'), {
  ...{ name: 'blog', svckit: '10.0.0' },
  openapi: usualFacts(true),
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

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ts } from 'ts-morph'
import { describe, expect, test } from 'vitest'
import type { RenderedFile } from '../../generator/plan/render.js'
import { importedFile } from '../../generator/plan/specifiers.js'
import { cases, renderFixture, root } from './fixture.js'
import { unusedRuntimeExports } from './runtime-exports.js'

/**
 * Lines of runtime/, the first line of each file included, on either database. Of them 57 serve the
 * document of the API, 266 its page, 43 tables that were there before (8 of them columns of other names, 3 more where there are relations, 3 their triggers and a `$1` in a name), 26 hand over what takes SQLite
 * long (610 of the blog are the threads that read it), 11 say that a request only reads and may read
 * elsewhere (and 11 where people sign in), 58 write the headers of layers once, 49 hold answers that nobody reads, 54 count values inside JSON and begin few requests at once, 7 let GraphQL wait for its first request where there are many repositories,
 * and some 510 bound what a request takes in bytes, time and connections (91 of them keep that from
 * costing an include more than 5 %); where people sign in, 121 are
 * what no surface walks around (e-mails that are asked for, and addresses), 19 bear a clock that jumps, and 6 name requests in the log.
 */
const mostLines = {
  minimal: 8_713,
  blog: 14_519,
  'every-kind': 14_737,
  'awkward-names': 14_144,
} as const

/** What browsers read of `/docs`. */
const mostBytesOfPage = 100 * 1024

const header = /^(?:\/\/|\/\*|<!--) svc's runtime: .*\n\n/

describe.each(cases)('the runtime of $fixture on $database', ({ fixture, database }) => {
  test('is a copy of ours', async () => {
    for (const { path, content } of runtimeOf(await renderFixture(fixture, database))) {
      expect(content.replace(header, ''), path).toBe(readFileSync(join(root, path), 'utf8'))
      expect(content, path).toMatch(header)
    }
  })

  test('has these files, and each file that they import', async () => {
    const files = await renderFixture(fixture, database)
    const paths = new Set(files.map(({ path }) => path))
    const missing = files.flatMap(({ path, content }) =>
      importsOf(path, content)
        .filter((target) => !target.startsWith('prisma/client/') && !paths.has(target))
        .map((target) => `${path} → ${target}`),
    )
    expect(missing).toEqual([])
    const list = runtimeOf(files).map(({ path }) => `${path}\n`)
    const golden = join(root, `fixtures/runtime-files/${fixture}.${database}.txt`)
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(golden, list.join(''))
    expect(list.join('')).toBe(readFileSync(golden, 'utf8'))
  })

  test('stays within its number of lines', async () => {
    const files = runtimeOf(await renderFixture(fixture, database))
    const code = files.filter(({ path }) => path.endsWith('.ts'))
    const lines = code.flatMap(({ content }) => content.trimEnd().split('\n'))
    expect(lines.length).toBeLessThanOrEqual(mostLines[fixture])
    const page = files.filter(({ path }) => !path.endsWith('.ts'))
    const bytes = page.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    expect(bytes).toBeLessThanOrEqual(mostBytesOfPage)
  })

  test('has a map with the folders that are here, and no others', async () => {
    const files = await renderFixture(fixture, database)
    const map = files.find(({ path }) => path === 'runtime/README.md')?.content ?? ''
    const listed = [...map.matchAll(/^\| `(.+)\/` \|/gm)].map(([, folder]) => `runtime/${folder}`)
    const folders = new Set(runtimeOf(files).map(({ path }) => dirname(path)))
    folders.delete('runtime')
    expect(listed.toSorted()).toEqual([...folders].toSorted())
    expect(map.split('\n').length).toBeLessThanOrEqual(60)
    const named = [...map.matchAll(/`(\w+\/[\w/-]+\.ts)`/g)].map(([, path = '']) => path)
    const paths = new Set(files.map(({ path }) => path))
    expect(named.filter((path) => !paths.has(path) && !paths.has(`runtime/${path}`))).toEqual([])
  })

  test('imports no package that package.json does not list', async () => {
    const files = await renderFixture(fixture, database)
    const listed = packagesOf(files.find(({ path }) => path === 'package.json')?.content ?? '')
    const code = runtimeOf(files).filter(({ path }) => path.endsWith('.ts'))
    const imported = code.flatMap(({ content }) => packagesIn(content))
    expect(imported).toContain('kysely')
    expect(imported.filter((name) => !listed.includes(name))).toEqual([])
  })
})

test.each(['minimal', 'blog', 'every-kind', 'awkward-names', 'shop', 'team'] as const)(
  'no comment of %s names a file that it does not have',
  async (fixture) => {
    const files = await renderFixture(fixture, 'sqlite')
    const paths = files.map(({ path }) => `/${path}`)
    const isHere = (name: string) =>
      paths.some((path) => path.endsWith(`/${name}`) || path.includes(`/${name}/`)) ||
      existsSync(join(root, 'fixtures', fixture, name)) // what is written by hand
    const unknown = files.flatMap(({ path, content }) => {
      const named = path.endsWith('.ts') ? filesNamedIn(content) : []
      return named.filter((name) => !isHere(name)).map((name) => `${path}: ${name}`)
    })
    expect(unknown).toEqual([])
  },
)

function packagesOf(text: string): readonly string[] {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(text)
  return Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
}

/** `@prisma/client` of `from '@prisma/client/runtime'`. */
function packagesIn(text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true)
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((specifier) => !specifier.startsWith('node:') && !specifier.startsWith('.'))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
}

/** `http/layers.ts` and `features/graphql` of its comments. */
function filesNamedIn(content: string): readonly string[] {
  const comments = content.match(/^ *(?:\/\*\*|\*|\/\/) .*$| \/\/ .*$/gm) ?? []
  const names = comments.flatMap((text) => text.match(filePattern) ?? [])
  return [...new Set(names)]
}

const filePattern = /(?<![\w/.{])(?:[\w-]+\/)*[\w-]+\.ts\b|\bfeatures\/[\w-]+/g

/** What only owners use, in their policies. */
const vocabulary = [
  ...['any', 'all', 'not', 'sql'].map((name) => `runtime/policy/condition.ts: ${name}`),
  ...['Combined', 'Condition'].map((name) => `runtime/policy/policy-types.ts: ${name}`),
]

test('the runtime exports nothing that nobody uses', async () => {
  const files = cases.map(({ fixture, database }) => renderFixture(fixture, database))
  const unused = unusedRuntimeExports((await Promise.all(files)).flat())
  expect(unused).toEqual(vocabulary)
})

const runtimeOf = (files: readonly RenderedFile[]) =>
  files.filter(({ path }) => path.startsWith('runtime/') && path !== 'runtime/README.md')

function importsOf(path: string, text: string): readonly string[] {
  if (!path.endsWith('.ts')) return []
  const { importedFiles } = ts.preProcessFile(text, true, true)
  return importedFiles.flatMap(({ fileName }) => importedFile(path, fileName) ?? [])
}

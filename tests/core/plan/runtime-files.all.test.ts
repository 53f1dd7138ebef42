import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ts } from 'ts-morph'
import { describe, expect, test } from 'vitest'
import type { RenderedFile } from '../../../generator/plan/render/render.js'
import { importedFile } from '../../../generator/source/specifiers.js'
import { cases, renderFixture, root } from './fixture.js'
import { unusedRuntimeExports } from './runtime-exports.js'

/** Lines of the runtime that a project which owns it has: a round number above today's, to be looked at when it is passed. */
const mostLines = {
  minimal: 16_900,
  blog: 28_000,
  'every-kind': 27_000,
  'awkward-names': 26_100,
  'wide-ids': 26_200,
  ledger: 25_800,
} as const

/** Of `runtime/testing/`, which no server runs: what the tests of a project call. */
const mostLinesOfTesting = 3_600

/** The files of `/docs`; what a visit loads of them is counted in `tests/features/docs/explorer.test.ts`. */
const mostBytesOfPage = 139_000

const header = /^(?:\/\/|\/\*|<!--) svc's runtime: .*\n\n/

describe.each(cases)('the runtime of $fixture on $database', ({ fixture, database }) => {
  test('is a copy of ours', async () => {
    for (const { path, content } of runtimeOf(await renderFixture(fixture, database, 'own'))) {
      expect(content.replace(header, ''), path).toBe(readFileSync(join(root, path), 'utf8'))
      expect(content, path).toMatch(header)
    }
  })

  test('has these files, and each file that they import', async () => {
    const files = await renderFixture(fixture, database, 'own')
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
    const files = runtimeOf(await renderFixture(fixture, database, 'own'))
    const code = files.filter(({ path }) => path.endsWith('.ts'))
    const isTesting = ({ path }: RenderedFile) => path.startsWith('runtime/testing/')
    const served = code.filter((file) => !isTesting(file))
    expect(linesIn(served)).toBeLessThanOrEqual(mostLines[fixture])
    expect(linesIn(code.filter(isTesting))).toBeLessThanOrEqual(mostLinesOfTesting)
    const page = files.filter(({ path }) => !path.endsWith('.ts'))
    const bytes = page.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    expect(bytes).toBeLessThanOrEqual(mostBytesOfPage)
  })

  test('has a map with the folders that are here, and no others', async () => {
    const files = await renderFixture(fixture, database, 'own')
    const map = files.find(({ path }) => path === 'runtime/README.md')?.content ?? ''
    const listed = [...map.matchAll(/^\| `(.+)\/` \|/gm)].map(([, folder]) => `runtime/${folder}`)
    const folders = new Set(runtimeOf(files).map(({ path }) => dirname(path)))
    folders.delete('runtime')
    expect(listed.toSorted()).toEqual([...folders].toSorted())
    expect(map.split('\n').length).toBeLessThanOrEqual(78)
    const named = [...map.matchAll(/`(\w+\/[\w/-]+\.ts)`/g)].map(([, path = '']) => path)
    const paths = new Set(files.map(({ path }) => path))
    expect(named.filter((path) => !paths.has(path) && !paths.has(`runtime/${path}`))).toEqual([])
  })

  test('imports no package that package.json does not list', async () => {
    const files = await renderFixture(fixture, database, 'own')
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
    const files = await renderFixture(fixture, 'sqlite', 'own')
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

/** Only owners use these, in their policies. */
const vocabulary = [
  ...['any', 'all', 'not', 'sql'].map((name) => `runtime/policy/condition.ts: ${name}`),
  ...['Combined', 'Condition'].map((name) => `runtime/policy/policy-types.ts: ${name}`),
]

/** Only features that none of these projects has use these: answers that are kept, exports, limits and actions. */
const ofFeatures = [
  'runtime/features/transactions/request.ts: asAction',
  'runtime/http/direct.ts: skipped',
  'runtime/http/direct.ts: withDirectStepOfReads',
  'runtime/http/json-text.ts: bytesOf',
]

test('the runtime exports nothing that nobody uses', async () => {
  const files = cases.map(({ fixture, database }) => renderFixture(fixture, database, 'own'))
  const unused = unusedRuntimeExports((await Promise.all(files)).flat())
  expect(unused.toSorted()).toEqual([...ofFeatures, ...vocabulary].toSorted())
})

const linesIn = (files: readonly RenderedFile[]) =>
  files.reduce((sum, { content }) => sum + content.trimEnd().split('\n').length, 0)

const runtimeOf = (files: readonly RenderedFile[]) =>
  files.filter(({ path }) => path.startsWith('runtime/') && path !== 'runtime/README.md')

function importsOf(path: string, text: string): readonly string[] {
  if (!path.endsWith('.ts')) return []
  const { importedFiles } = ts.preProcessFile(text, true, true)
  return importedFiles.flatMap(({ fileName }) => importedFile(path, fileName) ?? [])
}

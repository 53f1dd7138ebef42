/** The lists of .github/CONTRIBUTING.md are what one follows, so they are held to the files. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { kinds } from '../generator/kinds/kinds.js'
import { blueprintOf } from './core/plan/fixture.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8')

interface Change {
  readonly title: string
  /** The example of the section. */
  readonly example: string | undefined
  readonly paths: readonly string[]
}

const changes: readonly Change[] = text
  .split(/^## /m)
  .map((section) => ({
    title: section.split('\n')[0] ?? '',
    example: /^Like `(\w+)`/m.exec(section)?.[1],
    paths: [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path),
  }))
  .filter(({ paths }) => paths.length > 0)

function filesOf(path: string): readonly string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
}

const names = (path: string, word: string) =>
  filesOf(path).some(
    (file) =>
      file.toLowerCase().includes(word.toLowerCase()) ||
      new RegExp(`\\b${word}`, 'i').test(readFileSync(join(root, file), 'utf8')),
  )

test('CONTRIBUTING lists a field kind, a feature, an output and a rule', () => {
  expect(changes.map(({ title }) => title)).toEqual([
    'A field kind',
    'A feature',
    'An output',
    'A rule of the manifest',
  ])
})

describe.each(changes)('$title', ({ example, paths }) => {
  test('names files that are there', () => {
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('names files in which its example appears', () => {
    expect(paths.filter((path) => example !== undefined && !names(path, example))).toEqual([])
  })
})

test('a field kind touches one folder, one list, one page and one golden', () => {
  const { example = '', paths } = changes[0] ?? {}
  expect(paths).toEqual([
    'generator/kinds/',
    'generator/kinds/kinds.ts',
    'docs/manifest.md',
    'fixtures/every-kind/',
  ])
  // As code, as a manifest, as schemas, as documents: `slug` alone is a name that a field may have.
  const kind = new RegExp(`\\b${example}\\(|/${example}\\.js|kind: '${example}'|// ${example}\\b`)
  const found = ['generator', 'runtime', 'templates', 'prisma', 'fixtures', 'tests', 'docs']
    .flatMap(filesOf)
    .filter((file) => kind.test(readFileSync(join(root, file), 'utf8')))
  const own = [`generator/kinds/text/${example}.ts`, 'generator/kinds/words.ts', ...(paths ?? [])]
  const golden = paths?.at(-1) ?? ''
  // A test may use any kind in its manifest.
  const others = found.filter((file) => !/^tests\/.*\/manifests\//.test(file))
  expect(others.filter((file) => !own.includes(file) && !file.startsWith(golden))).toEqual([])
})

test('the golden of field kinds has a field of each', async () => {
  const { entities } = await blueprintOf('every-kind', 'sqlite')
  const shown = new Set(entities.flatMap(({ columns }) => columns.map(({ kind }) => kind)))
  expect(kinds.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
})

test('a feature appears in no file of the generator or its templates that the list leaves out', () => {
  const { example, paths = [] } = changes[1] ?? {}
  const word = new RegExp(`\\b${example}\\b`)
  const found = ['generator', 'templates']
    .flatMap(filesOf)
    .filter((file) => word.test(readFileSync(join(root, file), 'utf8')))
  // The second entry names both lists; texts name it as their example, and what is not limited is said where the limits are.
  const speaking = ['words.ts', 'a-switch.ts', 'README.md', 'rate-limit/feature.ts'].map(
    (path) => `generator/features/${path}`,
  )
  const listed = [...paths.flatMap(filesOf), ...speaking]
  expect(found.filter((file) => !listed.includes(file))).toEqual([])
})

test('CONTRIBUTING names scripts that are there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

test('CONTRIBUTING begins with the folders and fits on 100 lines', () => {
  expect(/^## (.*)$/m.exec(text)?.[1]).toBe('Where things are')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(100)
  const folders = [...text.matchAll(/^ {4}( *)([\w-]+)\//gm)].map(([, indent, name = '']) =>
    indent === '' ? name : `generator/${name}`,
  )
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([])
  const isFolder = (folder: string) => statSync(join(root, folder)).isDirectory()
  const inGenerator = readdirSync(join(root, 'generator')).map((name) => `generator/${name}`)
  expect(inGenerator.filter((path) => isFolder(path) && !folders.includes(path))).toEqual([])
})

test('the workflows test every version of Node that the README names, and publish by a tag', () => {
  const workflow = (name: string) => readFileSync(join(root, '.github/workflows', name), 'utf8')
  const [ci, release] = [workflow('ci.yml'), workflow('release.yml')]
  expect(ci).toContain('node: [20, 22, 24]\n')
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('Node 20.19, 22 or 24')
  for (const steps of [ci, release]) expect(steps).toContain('- run: .ci/run\n')
  expect(release).toContain("tags: ['v*']\n")
  expect(release).toContain('npm publish --provenance')
  // A registry, a mirror or a machine of somebody's is no part of the project.
  for (const steps of [ci, release]) expect(steps).not.toMatch(/https?:|registry/)
})

test('every feature has a test in `npm test`', () => {
  const isQuick = (path: string) => /(?<!\.all)\.test\.ts$/.test(path)
  const features = readdirSync(join(root, 'tests/features'))
  expect(features.filter((name) => !filesOf(`tests/features/${name}`).some(isQuick))).toEqual([])
})

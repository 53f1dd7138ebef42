/** The lists of .github/CONTRIBUTING.md are what one follows, so they are held to the files. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8')

interface Change {
  readonly title: string
  /** What the section takes as its example. */
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

test('a field kind appears in no file of ours that the list leaves out', () => {
  const { example, paths } = changes[0] ?? {}
  const word = new RegExp(`\\b${example}\\b`)
  const found = ['generator', 'runtime', 'templates', 'fixtures/every-kind/manifest']
    .flatMap(filesOf)
    .filter((file) => word.test(readFileSync(join(root, file), 'utf8')))
  expect(found.filter((file) => !paths?.includes(file))).toEqual([])
})

test('CONTRIBUTING names scripts that are there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

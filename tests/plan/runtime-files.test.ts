import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import type { RenderedFile } from '../../generator/plan/render.js'
import { cases, renderFixture, root } from './fixture.js'
import { unusedRuntimeExports } from './runtime-exports.js'

const header = /^\/\/ svc's runtime: .*\n\n/

describe.each(cases)('the runtime of $fixture on $database', ({ fixture, database }) => {
  test('is a copy of ours', async () => {
    for (const { path, content } of runtimeOf(await renderFixture(fixture, database))) {
      expect(content.replace(header, ''), path).toBe(readFileSync(join(root, path), 'utf8'))
      expect(content, path).toMatch(header)
    }
  })

  test('has every file that is imported, and none that is not', async () => {
    const files = await renderFixture(fixture, database)
    const texts = new Map(files.map(({ path, content }) => [path, content]))
    const { reached, missing } = follow(texts)
    const idle = runtimeOf(files).filter(({ path }) => !reached.has(path))
    expect(missing).toEqual([])
    expect(idle.map(({ path }) => path)).toEqual([])
  })

  test('imports no package that package.json does not list', async () => {
    const files = await renderFixture(fixture, database)
    const listed = packagesOf(files.find(({ path }) => path === 'package.json')?.content ?? '')
    const imported = runtimeOf(files).flatMap(({ content }) => packagesIn(content))
    expect(imported).toContain('kysely')
    expect(imported.filter((name) => !listed.includes(name))).toEqual([])
  })
})

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

/** What only owners use, in their policies. */
const vocabulary = ['any', 'all', 'not', 'sql'].map(
  (name) => `runtime/policy/condition.ts: ${name}`,
)

test('the runtime exports nothing that nobody uses', async () => {
  const files = cases.map(({ fixture, database }) => renderFixture(fixture, database))
  const unused = unusedRuntimeExports((await Promise.all(files)).flat())
  expect(unused).toEqual(vocabulary)
})

const runtimeOf = (files: readonly RenderedFile[]) =>
  files.filter(({ path }) => path.startsWith('runtime/'))

/** Follows imports from everything outside `runtime/`. The Prisma client is made later. */
function follow(texts: ReadonlyMap<string, string>) {
  const waiting = [...texts.keys()].filter((path) => !path.startsWith('runtime/'))
  const reached = new Set(waiting)
  const missing: string[] = []
  for (const path of waiting) {
    for (const target of importsOf(path, texts.get(path) ?? '')) {
      if (target.startsWith('prisma/client/') || reached.has(target)) continue
      if (!texts.has(target)) missing.push(`${path} → ${target}`)
      reached.add(target)
      waiting.push(target)
    }
  }
  return { reached, missing }
}

function importsOf(path: string, text: string): readonly string[] {
  if (!path.endsWith('.ts')) return []
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g)]
  return specifiers.map(([, specifier]) => `${join(dirname(path), specifier ?? '')}.ts`)
}

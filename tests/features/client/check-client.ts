import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Blueprint } from '../../../generator/blueprint/types.js'
import { clientSettings } from '../../../generator/features/client/check.js'
import { clientFiles, type ClientFile } from '../../../generator/features/client/files.js'
import { root } from '../../core/plan/fixture.js'
import { instantiationsOf, printed, problemsOf } from '../../support/compiler.js'
import { describeProject } from '../../support/with-features.js'

/** A client that only the compiler reads, and nobody formats. */
export function clientOf(
  blueprint: Blueprint,
  folder: string,
  {
    hasQueries = false,
    zod = false,
  }: { readonly hasQueries?: boolean; readonly zod?: boolean } = {},
): Promise<readonly ClientFile[]> {
  const tidied = {
    find: (_: string, text: string) => text,
    note: () => {},
    again: () => null,
    made: () => {},
    parts: () => null,
    noteParts: () => {},
  }
  const project = describeProject(blueprint, { name: folder, svckit: '10.0.0', tidied })
  return clientFiles(project, clientSettings(folder, hasQueries, zod))
}

/** As strict as somebody's web application may be. */
const strict = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ noImplicitReturns: true, noUnusedLocals: true, noUnusedParameters: true },
  noPropertyAccessFromIndexSignature: true,
  ...{ verbatimModuleSyntax: true, isolatedModules: true, erasableSyntaxOnly: true },
  ...{ target: 'es2023', module: 'esnext', moduleResolution: 'bundler' },
  ...{ noEmit: true, skipLibCheck: true },
}

/** Node lacks some of a browser's types. */
const options = {
  browser: { ...strict, lib: ['es2023', 'dom'], types: [] },
  node: { ...strict, lib: ['es2023'], types: ['node'] },
}

type Place = keyof typeof options

/** Returns the compiler's errors in the files of a client, and in those beside them. */
export const checkClient = (files: readonly ClientFile[], where: Place = 'browser'): string =>
  printed(withConfig(files, where, problemsOf))

/** How many types they make on the way, where nothing is wrong with them. */
export const instantiationsOfClient = (files: readonly ClientFile[]): number =>
  withConfig(files, 'browser', instantiationsOf)

/** Code that does not compile, and what is said of it. */
export type Mistake = readonly [code: string, message: RegExp]

/**
 * Right uses compile with the client; each mistake, alone in a file, has its error and no other.
 */
export function expectUses(
  files: readonly ClientFile[],
  use: (code: string) => string,
  { right, mistakes }: { readonly right: string; readonly mistakes: readonly Mistake[] },
): void {
  const wrong = mistakes.map(([code], at) => ({
    path: `mistake-${at}.ts`,
    content: use(`export const wrong = async () => { ${code} }`),
  }))
  const all = withConfig(
    [...files, { path: 'right.ts', content: use(right) }, ...wrong],
    'browser',
    problemsOf,
  )
  expect(printed(all.filter(({ path }) => !path.startsWith('mistake-')))).toBe('')
  for (const [at, [code, message]] of mistakes.entries()) {
    const said = all.filter(({ path }) => path === `mistake-${at}.ts`)
    expect(said, code).toEqual([expect.objectContaining({ text: expect.stringMatching(message) })])
  }
}

function withConfig<Result>(
  files: readonly ClientFile[],
  where: Place,
  check: (config: string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'svc-client-'))
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const { path, content } of files) write(path, content)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  write('tsconfig.json', JSON.stringify({ compilerOptions: options[where] }))
  const result = check(join(folder, 'tsconfig.json'))
  rmSync(folder, { recursive: true })
  return result
}

import { join } from 'node:path'
import { build, type BuildFailure, type Location, type Message } from 'esbuild'
import { nearest } from '../manifest/nearest.js'
import { manifestFiles, specifierOf } from './exporting.js'
import type { LoadProblem, Position } from './position.js'

/** All files of a manifest as one script, and the map back to them. */
export interface Bundle {
  readonly entry: string
  readonly code: string
  readonly map: string
  readonly files: readonly string[]
  /** Keys that stand twice in one object. The rest can be read, and checked in the same run. */
  readonly twice: readonly LoadProblem[]
}

/**
 * esbuild reads a hundred files in 40 ms, where a loader that works file by file takes a second; and no cache is left
 * anywhere. (jiti runs each file as a module of its own, so a manifest that hangs could not be stopped.) Packages stay outside: `evaluate` answers for `svckit` and refuses the rest.
 */
export async function bundle(
  projectDir: string,
  entry: string,
): Promise<Bundle | { readonly problems: readonly LoadProblem[] }> {
  try {
    const { outputFiles, metafile, warnings } = await build({
      absWorkingDir: projectDir,
      entryPoints: [entry],
      outfile: join(projectDir, 'manifest.cjs'),
      bundle: true,
      write: false,
      metafile: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      // Lines of a text are no lines of code.
      supported: { 'template-literal': false },
      packages: 'external',
      sourcemap: 'external',
      sourcesContent: false,
      // The project's own tsconfig may not exist yet, or be broken.
      tsconfigRaw: {},
      charset: 'utf8',
      logLevel: 'silent',
    })
    const twice = warnings
      .filter(({ id }) => id === 'duplicate-object-key')
      .map((message) => twiceOf(message, entry))
    const text = (ending: string) =>
      outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
    const files = Object.keys(metafile.inputs).toSorted()
    return { entry, code: inOrder(text('.cjs')), map: text('.map'), files, twice }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    return { problems: error.errors.map((message) => problemOf(message, entry, projectDir)) }
  }
}

/**
 * esbuild makes `var` of what files declare, so that a constant that is used above its declaration, or by files that import each
 * other, would be undefined, and the fields in it would be gone without a word. An enum, which it calls as pure, refers to itself.
 */
const inOrder = (code: string): string =>
  code.replaceAll(/^var (?=\w+ = (?!\/\* @__PURE__ \*\/ \(\())/gm, 'let ')

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

const placeOf = (location: Location | null | undefined, entry: string): Position => ({
  file: location?.file ?? entry,
  line: location?.line ?? 1,
  column: (location?.column ?? 0) + 1,
})

/** JavaScript would keep the last one and forget the others without a word. */
function twiceOf({ text, location, notes }: Message, entry: string): LoadProblem {
  const key = /"(.*)"/.exec(text)?.[1] ?? ''
  const { file, line, column } = placeOf(notes[0]?.location, entry)
  return {
    ...placeOf(location, entry),
    rule: 'duplicate-key',
    message: `'${key}' appears twice in one object, first at ${file}:${line}:${column}, and only the last one would count`,
    fix: 'leave one of them out, or rename it',
  }
}

function problemOf({ text, location }: Message, entry: string, root: string): LoadProblem {
  const place = placeOf(location, entry)
  return {
    ...place,
    rule: 'manifest-syntax',
    // esbuild looks into package.json too.
    message: `${place.file.endsWith('.json') ? `'${place.file}'` : 'the manifest'} cannot be read: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
    ...missingFile(text, place.file, root),
  }
}

/** The manifest's other files, and the one that was probably meant. */
function missingFile(text: string, from: string, root: string): Pick<LoadProblem, 'known' | 'fix'> {
  const written = /^Could not resolve "(\..*)"/.exec(text)?.[1]
  if (written === undefined) return {}
  const known = manifestFiles(root)
    .filter((file) => file !== from)
    .map((file) => specifierOf(file, from))
  const meant = nearest(written, known)
  return meant === undefined ? { known } : { known, fix: `from '${meant}'` }
}

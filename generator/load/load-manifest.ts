import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Manifest } from '../manifest/manifest.js'
import type { Repository } from '../manifest/repository.js'
import { bundle, type Bundle } from './bundle.js'
import { evaluate, type Evaluated, type Print, type Worded } from './evaluate.js'
import { exporting } from './exporting.js'
import { locate } from './locate.js'
import { manifestEntries } from './manifest-entries.js'
import { isLoadProblem, type LoadProblem, type Path, type Position } from './position.js'
import { readUserModel, type UserModel } from './user-model.js'

/** A manifest as its files say it, and where they say it. */
export interface Loaded {
  readonly manifest: Manifest
  readonly sources: Sources
  /** The sign-in setting of `config/svc.ts`; null where there is none. */
  readonly userModel: UserModel | null
  /** Keys that stand twice, of which only the last was read. */
  readonly twice: readonly LoadProblem[]
}

/** The files of a manifest, relative to the project, with forward slashes. */
export interface Sources {
  /** The file that calls `defineManifest`. */
  readonly entry: string
  /** Every file that was read: what to watch. */
  readonly files: readonly string[]
  /** The file of each repository, by its key in `defineManifest`. */
  readonly repositories: ReadonlyMap<string, string>
  /** Finds the position of a part of the manifest; the closest place that can be found. */
  readonly locate: (path: Path) => Position
  /** The file of the manifest's folder that exports a name, listed or not. */
  readonly exporting: (name: string) => string | undefined
}

/** Reads the manifest of a project. It is read afresh at every call, and nothing is written anywhere. */
export async function loadManifest(
  projectDir: string,
  features: readonly Worded[],
  print: Print = () => {},
): Promise<Loaded | { readonly problems: readonly LoadProblem[] }> {
  const root = resolve(projectDir)
  const entry = manifestEntries.find((file) => existsSync(join(root, file)))
  if (entry === undefined) return { problems: [missing()] }
  const bundled = await bundle(root, entry)
  if ('problems' in bundled) return bundled
  const userModel = await readUserModel(root)
  const evaluated = evaluate(bundled, { root, print, features })
  const { twice } = bundled
  const problems = [...twice, ...[evaluated, userModel].filter(isLoadProblem)]
  if (isLoadProblem(evaluated) || isLoadProblem(userModel)) return { problems }
  const manifest = manifestIn(evaluated.exported)
  if (manifest === null) return { problems: [...twice, notAManifest(entry, evaluated.exported)] }
  return { manifest, sources: sourcesOf(manifest, evaluated, root, bundled), userModel, twice }
}

function sourcesOf(
  manifest: Manifest,
  { places }: Evaluated,
  root: string,
  { entry, files }: Bundle,
): Sources {
  const repositories = Object.entries(manifest.repositories).map(
    ([key, value]) => [key, fileOf(value, places) ?? entry] as const,
  )
  const partial = { root, entry, places: placesByKey(manifest, places) }
  return {
    entry,
    files,
    repositories: new Map(repositories),
    locate: (path) => locate(partial, path),
    exporting: (name) => exporting(root, name),
  }
}

const fileOf = (value: Repository, places: Evaluated['places']) => places.get(value)?.file

function placesByKey(
  manifest: Manifest,
  places: Evaluated['places'],
): ReadonlyMap<string, Position> {
  const found = Object.entries(manifest.repositories).flatMap(([key, value]) => {
    const place = places.get(value)
    return place === undefined ? [] : [[key, place] as const]
  })
  return new Map(found)
}

/** The manifest may come from another copy of the vocabulary, so its shape decides. */
function manifestIn(exported: unknown): Manifest | null {
  if (typeof exported !== 'object' || exported === null) return null
  const { type, repositories } = exported as Partial<Manifest> // read as unknown facts, checked below
  const isManifest =
    type === 'manifest' && typeof repositories === 'object' && repositories !== null
  return isManifest ? (exported as Manifest) : null
}

const example = [
  "import { defineManifest, repository, text } from 'svckit'",
  '',
  'const posts = repository({ fields: { title: text() } })',
  "export default defineManifest({ database: 'sqlite', repositories: { posts } })",
].join('\n')

const missing = (): LoadProblem => ({
  file: 'manifest/index.ts',
  line: 1,
  column: 1,
  rule: 'no-manifest',
  message: 'there is no manifest in this folder',
  known: manifestEntries,
  fix: example,
})

const notAManifest = (file: string, exported: unknown): LoadProblem => ({
  file,
  line: 1,
  column: 1,
  rule: 'no-default-export',
  message:
    exported === undefined
      ? `'${file}' has no default export`
      : `the default export of '${file}' is not what defineManifest gives`,
  fix: "export default defineManifest({ database: 'sqlite', repositories: { … } })",
})

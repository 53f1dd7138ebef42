/**
 * The files that a feature adds to a small project, to be read like code: `UPDATE_GOLDEN=1` writes
 * them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatProblems } from '../../../generator/blueprint/problems.js'
import type { FieldDefinition } from '../../../generator/manifest/field.js'
import type { Manifest } from '../../../generator/manifest/manifest.js'
import { buildBlueprint, loadManifest, renderProject } from '../../support/with-features.js'
import { root } from './fixture.js'

const folder = join(root, 'fixtures/features')

/** The manifest without this option of its repositories. */
const withoutOption =
  (option: string) =>
  ({ repositories, ...rest }: Manifest): object => ({
    ...rest,
    repositories: Object.fromEntries(
      Object.entries(repositories).map(([key, { definition, ...repository }]) => {
        const said = Object.entries(definition).filter(([name]) => name !== option)
        return [key, { ...repository, definition: Object.fromEntries(said) }]
      }),
    ),
  })

/** The manifest, and its repositories, with one word less in `reads`. */
const withoutRead =
  (word: string) =>
  ({ repositories, reads = [], ...rest }: Manifest): object => ({
    ...rest,
    reads: reads.filter((each) => each !== word),
    repositories: Object.fromEntries(
      Object.entries(repositories).map(([key, { definition, ...repository }]) => {
        const said = definition.reads?.filter((each) => each !== word)
        const own = said === undefined ? definition : { ...definition, reads: said }
        return [key, { ...repository, definition: own }]
      }),
    ),
  })

/** The manifest whose relations are written by themselves. */
const withoutWritableRelations = ({ repositories, ...rest }: Manifest): object => ({
  ...rest,
  repositories: Object.fromEntries(
    Object.entries(repositories).map(([key, { definition, ...repository }]) => {
      const related = withoutWritable(definition.related)
      return [key, { ...repository, definition: { ...definition, related } }]
    }),
  ),
})

const withoutOptions =
  (...options: readonly string[]) =>
  (manifest: Manifest): object =>
    options.reduce<object>((rest, option) => withoutOption(option)(rest as Manifest), manifest)

/** By fixture: the manifest as if it did not ask for the feature. */
const without: Readonly<Record<string, (manifest: Manifest) => object>> = {
  'timestamps-by': (manifest) => ({ ...manifest, timestampsBy: false }),
  'dry-run': (manifest) => ({ ...manifest, dryRun: false }),
  messages: (manifest) => ({ ...manifest, messages: [] }),
  cursors: (manifest) => ({ ...manifest, reads: [] }),
  idempotency: (manifest) => ({ ...manifest, idempotency: false }),
  operators: (manifest) => ({ ...manifest, reads: [] }),
  offsets: (manifest) => ({ ...manifest, reads: [] }),
  trees: withoutRead('trees'),
  versions: withoutOption('versioned'),
  aggregates: withoutOption('aggregate'),
  'soft-deletes': withoutOption('softDeletes'),
  actions: withoutOptions('actions', 'getters'),
  bulk: withoutOption('bulk'),
  'csv-export': withoutOption('export'),
  'global-search': withoutOption('globalSearch'),
  'full-text': ({ repositories, ...rest }) => ({
    ...rest,
    repositories: Object.fromEntries(
      Object.entries(repositories).map(([key, { definition, ...repository }]) => {
        // `fullText()` contains the list that would be there in its place.
        const searchable = Object(definition.searchable)
        const plain = { ...definition, searchable: searchable.columns ?? searchable }
        return [key, { ...repository, definition: plain }]
      }),
    ),
  }),
  upsert: withoutOption('upsertBy'),
  'nested-create': withoutWritableRelations,
  'nested-pivots': withoutWritableRelations,
  rules: ({ repositories, ...rest }) => ({
    ...rest,
    repositories: Object.fromEntries(
      Object.entries(repositories).map(([key, { definition, ...repository }]) => {
        const fields = Object.fromEntries(
          Object.entries(definition.fields).map(([name, field]) => [name, withoutRules(field)]),
        )
        return [key, { ...repository, definition: { ...definition, fields } }]
      }),
    ),
  }),
  'relation-filters': ({ repositories, ...rest }) => ({
    ...rest,
    repositories: Object.fromEntries(
      Object.entries(repositories).map(([key, { definition, ...repository }]) => {
        const columns = Object.entries(definition.match ?? {}).filter(
          ([name, type]) => !name.includes('.') && type !== 'exists',
        )
        return [
          key,
          { ...repository, definition: { ...definition, match: Object.fromEntries(columns) } },
        ]
      }),
    ),
  }),
  'custom-filters': ({ repositories, ...rest }) => ({
    ...rest,
    repositories: Object.fromEntries(
      Object.entries(repositories).map(([key, { definition, ...repository }]) => {
        const { filters: _, match = {}, sort = [], ...said } = definition
        const columns = Object.entries<unknown>(match).filter(
          ([, type]) => typeof type === 'string',
        )
        const names = sort.filter((each: unknown) => typeof each === 'string')
        const plain = { ...said, match: Object.fromEntries(columns), sort: names }
        return [key, { ...repository, definition: plain }]
      }),
    ),
  }),
  filters: (manifest) => ({ ...manifest, reads: ['operators'] }),
  sparse: (manifest) => ({ ...manifest, reads: [] }),
  'include-arguments': (manifest) => ({ ...manifest, reads: [] }),
  counts: ({ repositories, ...rest }) => ({
    ...rest,
    repositories: Object.fromEntries(
      Object.entries(repositories).map(([key, { definition, ...repository }]) => {
        const { count: _, sort = [], ...said } = definition
        const columns = sort.filter((name) => !name.includes('.'))
        return [key, { ...repository, definition: { ...said, sort: columns } }]
      }),
    ),
  }),
}

/** A field that says its kind and its length, and nothing else of its text. */
function withoutRules(field: object): object {
  if (!('definition' in field)) return field
  const { rules: _, sample: __, ...said } = Object(field.definition) as FieldDefinition
  return { ...field, definition: said }
}

/** The relations of a repository as if none said so. */
const withoutWritable = (related: Readonly<Record<string, object>> = {}) =>
  Object.fromEntries(
    Object.entries(related).map(([key, entry]) => {
      if (!('definition' in entry)) return [key, entry]
      const definition = entry.definition as { readonly options: Record<string, unknown> }
      const { writable: _, ...options } = definition.options
      return [key, { ...entry, definition: { ...definition, options } }]
    }),
  )

/** The files of a project by their paths. */
async function filesOf(name: string, changed: (manifest: Manifest) => object = (same) => same) {
  const loaded = await loadManifest(join(folder, name))
  if ('problems' in loaded) throw new Error(formatProblems(loaded.problems))
  const manifest = changed(loaded.manifest) as Manifest // with less of the same
  const built = buildBlueprint(manifest, loaded)
  if ('problems' in built) throw new Error(formatProblems(built.problems))
  const runtime = '10.0.0'
  const rendered = await renderProject(built.blueprint, { name, svckit: runtime, runtime })
  return new Map(rendered.map(({ path, content }) => [path, content]))
}

describe.each(Object.entries(without))('%s', (name, unasked) => {
  const expected = join(folder, name, 'expected')

  test('changes these files, and no others', async () => {
    const before = await filesOf(name, unasked)
    const now = await filesOf(name)
    const changed = [...now].filter(([path, content]) => before.get(path) !== content)
    if (process.env['UPDATE_GOLDEN'] !== undefined) {
      rmSync(expected, { recursive: true, force: true })
      for (const [path, content] of changed) {
        mkdirSync(dirname(join(expected, path)), { recursive: true })
        writeFileSync(join(expected, path), content)
      }
    }
    const known = readdirSync(expected, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(expected.length + 1))
    expect(changed.map(([path]) => path).toSorted()).toEqual(known.toSorted())
    for (const [path, content] of changed) {
      expect(content, path).toBe(readFileSync(join(expected, path), 'utf8'))
    }
    expect([...before.keys()].filter((path) => !now.has(path))).toEqual([])
  })
})

test.each(Object.keys(without))('no file of %s imports a module twice', async (name) => {
  const twice = [...(await filesOf(name))].flatMap(([path, text]) => {
    const modules = [...text.matchAll(/^import .* from '([^']+)'$/gm)].map((each) => each[1])
    return modules
      .filter((each, at) => modules.indexOf(each) !== at)
      .map((each) => `${path}: ${each}`)
  })
  expect(twice).toEqual([])
})

test('each fixture of a feature is compared', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(without).toSorted())
})

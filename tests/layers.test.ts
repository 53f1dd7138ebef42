import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Node, Project, SyntaxKind, ts } from 'ts-morph'
import { describe, expect, test } from 'vitest'
import { features } from '../generator/features/index.js'
import { ownOutputs } from '../generator/plan/feature.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each layer is a folder, and may import those before it. The files beside the folders put all of them together. */
const layers = [
  'libraries',
  'manifest',
  'kinds',
  'load',
  'blueprint',
  'source',
  'migrations',
  'plan',
  'write',
  'commands',
  'features',
]

const project = new Project({
  skipAddingFilesFromTsConfig: true,
  skipFileDependencyResolution: true,
})

interface Source {
  /** From the checkout. */
  readonly path: string
  readonly text: string
}

function sources(folder: string): readonly Source[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(root, file).replaceAll('\\', '/'),
      text: readFileSync(file, 'utf8'),
    }))
}

/** The syntax of a file, which takes ten times as long as its text. */
const parsed = ({ path, text }: Source) =>
  project.createSourceFile(join(root, path), text, { overwrite: true })

interface Import {
  readonly from: string
  readonly to: string
}

/** What a file imports: statically, on demand, or as a type. */
const specifiersIn = ({ text }: Source) =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)

/** Everything a file imports by path. */
const imports = (source: Source): readonly Import[] =>
  specifiersIn(source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolve(root, dirname(source.path), specifier))
    .map((path) => relative(root, path).replaceAll('\\', '/').replace(/\.js$/, '.ts'))
    .map((to) => ({ from: source.path, to }))

const layerOf = (path: string) => layers.indexOf(layerName(path))

/** A folder of the generator; manifests are written with the words of kinds. */
function layerName(path: string): string {
  const [, folder = ''] = path.split('/')
  return path === 'generator/kinds/words.ts' ? 'manifest' : folder
}

/** The functions and options of manifests, those of kinds and of features too. */
const isWords = (path: string) =>
  layerName(path) === 'manifest' || /^generator\/features\/([\w-]+\/)?words\.ts$/.test(path)

const arrow = ({ from, to }: Import) => `${from} → ${to}`

describe('the layers of the generator', () => {
  const all = sources('generator')

  test('each imports only those before it', () => {
    const upward = all
      .flatMap(imports)
      .filter(({ from, to }) => layerOf(from) !== -1 && layerOf(to) > layerOf(from))
    expect(upward.map(arrow)).toEqual([])
  })

  test('the core imports no feature', () => {
    const toFeatures = all.flatMap(imports).filter(({ to }) => layerName(to) === 'features')
    const core = toFeatures.filter(({ from }) => layerName(from) !== 'features')
    const together = ['cli.ts', 'database-process.ts', 'demo.ts', 'index.ts']
    expect([...new Set(core.map(({ from }) => from))].toSorted()).toEqual(
      together.map((name) => `generator/${name}`),
    )
  })

  test('nothing is imported from beside the layers', () => {
    const beside = all
      .flatMap(imports)
      .filter(({ to }) => to.startsWith('generator/') && layerOf(to) === -1)
    expect(beside.map(arrow)).toEqual([])
  })

  test('the manifest vocabulary imports nothing else', () => {
    const words = all.filter(({ path }) => isWords(path))
    const packages = words.flatMap(specifiersIn).filter((specifier) => !specifier.startsWith('.'))
    expect(packages).toEqual([])
    const others = words.flatMap(imports).filter(({ to }) => !isWords(to))
    expect(others.map(arrow)).toEqual([])
  })

  test('the generator imports nothing of the runtime but what a value is', () => {
    const runtime = all
      .flatMap(imports)
      .filter(({ to }) => to.startsWith('runtime/') && !to.startsWith('runtime/kinds/'))
    expect(runtime.map(arrow)).toEqual([])
  })

  test('no file imports another one in a circle, not even for a type', () => {
    expect(circlesIn(all.flatMap(imports))).toEqual([])
  })

  test('only commands print', () => {
    const printing = all.filter(
      (source) => !source.path.startsWith('generator/commands/') && prints(source),
    )
    expect(printing.map(({ path }) => path)).toEqual(['generator/demo.ts'])
  })
})

/** What the core would call a feature, wherever its code spoke of one, where that is not its name. */
const otherNames: Readonly<Record<string, RegExp>> = {
  'authorization-tests': /authorizationTests|matrixView|tests\/(authorization|roles)/i,
  bulk: /features\/bulk|bulk(Routes|Check|Hooks|In|Of)\b/,
  client: /typed client|features\/client|clientSettings/i,
  // Databases have aggregates, and JavaScript an AggregateError.
  aggregates: /features\/aggregates|aggregateParameters|aggregates(In|Of)\b/,
  counts: /features\/counts|countsParameter|counts(In|Of)\b/,
  // TypeScript's own `getFullText`
  'full-text': /features\/full-text|\bfullText/,
  filters: /features\/filters|filtersRead|filter(s?Routes|sReader)\b/,
  'custom-filters': /features\/custom-filters|customFilters|hasCustomFilters/,
  'dry-run': /features\/dry-run|dryRuns|noDryRun/,
  docs: /explorer|features\/docs|\/docs\b/i,
  graphql: /graphi?ql/i,
  // Errors are explained, and databases explain plans.
  explain: /features\/explain|explainScript|serveExplain/,
  // Browsers may read the headers.
  'rate-limit': /features\/rate-limit|rateLimit|limitRequests/,
  // what refuses the header where nothing understands it says its name
  idempotency: /features\/idempotency|idempotencyKeys|idempotencyOf/,
  cursors: /features\/cursors|cursorsRead|hasCursors|sealedCursors/,
  offsets: /features\/offsets|offsetsRead/,
  operators: /features\/operators|operatorsRead/,
  reads: /features\/reads|\breads(In|Words|Check)\b/,
  replicas: /replica/i,
  tracing: /tracing|traces|traceparent/i,
  transactions: /features\/transactions|insideHooks|mutationsTogether/i,
  // a transaction has it in its name, and AGENTS.md may say what people do
  actions: /features\/actions|actions(Fact|Check|In)\b|actionRoutes/,
  // many things are trees
  trees: /features\/trees|trees(Read|Check|In)\b/,
  // Prisma has a method of this name
  upsert: /features\/upsert|\bupsert(By|Check|In|Routes|Words)\b/,
  'value-tests': /valueTests\b|edgesView/,
  versions: /features\/versions|\bversioned(In|Of)?\b/,
}

/**
 * Features that are part of what projects are made of, their shape: words, checks and tables of theirs are in the core, and in
 * their folder is what is added to that.
 */
const shape: Readonly<Record<string, string>> = {
  folding: 'a modifier of fields, with a column that migrations make and fill',
  morphs: 'relations, whose columns and triggers migrations make',
  passwords: 'a field kind',
  pivots: 'relations, with tables and models that migrations make',
  'sign-in': 'the repository of users, which manifest, config and policies name',
}

/** What names features, and why it may; and kinds say what each surface calls their values. */
const apart = new Set([
  // names that no repository can have, whether a feature is on or not
  'generator/manifest/reserved.ts',
  // endings of files that are formatted
  'generator/source/tidy.ts',
])

/** People who read a comment may be told of a feature. */
const comments = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$|\{\{!--[^]*?--\}\}/gm

describe('the core of the generator and of the runtime', () => {
  const core = [...sources('generator'), ...sources('runtime')].filter(
    (source) =>
      !/^(generator\/((features|kinds)\/|[\w-]+\.ts$)|runtime\/(features|testing)\/)/.test(
        source.path,
      ) && !apart.has(source.path),
  )
  const own = new Set(ownOutputs(features).map(({ path }) => `templates/${path}.hbs`))
  const files = [
    ...core,
    ...templates().filter(({ path }) => !own.has(path) && !path.startsWith('templates/client/')),
  ].map(({ path, text }) => ({ path, text: text.replace(comments, '') }))

  const entries = readdirSync(join(root, 'generator/features'), { withFileTypes: true })
  const folders = entries.filter((each) => each.isDirectory()).map(({ name }) => name)

  test('speaks of features that are there', () => {
    const said = [...Object.keys(otherNames), ...Object.keys(shape)]
    expect(said.filter((name) => !folders.includes(name))).toEqual([])
    // What explains rights is commands alone.
    expect(features).toHaveLength(folders.filter((name) => name !== 'explain').length)
  })

  test.each(folders.filter((name) => !Object.hasOwn(shape, name)))(
    'does not name %s',
    (feature) => {
      // `metric`, `childList`: one of them, too.
      const word = feature.replace(/s$/, '').replaceAll('-', '[-_ ]?')
      const name = otherNames[feature] ?? new RegExp(word, 'i')
      const naming = files.filter(({ text }) => name.test(text))
      expect(naming.map(({ path }) => path)).toEqual([])
    },
  )
})

function templates() {
  const entries = readdirSync(join(root, 'templates'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = relative(root, file).replaceAll('\\', '/')
      return { path, text: readFileSync(file, 'utf8') }
    })
}

/**
 * Each layer of the runtime may import those after it, and itself. `config/` and the files beside the folders are for all;
 * `features/<name>` may import every layer, and no layer a feature. `testing` is a library for the tests of a project: it may
 * import every layer, its `mutation` relations as well, and nothing that a server runs may import it.
 */
const runtimeLayers = [
  ['http'],
  ['operations'],
  ['query', 'policy', 'input'],
  ['model'],
  ['sql'],
  ['database'],
  ['kinds'],
  [
    'config',
    'errors.ts',
    'event-loop.ts',
    'failures.ts',
    'find-file.ts',
    'later.ts',
    'setup-error.ts',
  ],
]

/** What features may import of each other. */
const featuresOf: Readonly<Record<string, readonly string[]>> = {
  actions: ['bulk', 'graphql', 'transactions'],
  'child-lists': ['graphql', 'relations'],
  'csv-export': ['cursors', 'relations'],
  aggregates: ['graphql', 'relations'],
  counts: ['relations'],
  cursors: ['graphql'],
  filters: ['relations'],
  'custom-filters': ['relations'],
  docs: ['openapi', 'explain'],
  'dry-run': ['transactions'],
  graphql: [],
  idempotency: ['sign-in', 'transactions'],
  morphs: ['relations'],
  pivots: ['graphql', 'relations'],
  explain: ['docs', 'pivots', 'relations'],
  'sign-in': ['mail', 'relations'],
  'include-arguments': ['relations'],
  'relation-filters': ['relations'],
  sparse: ['relations'],
  transactions: ['graphql'],
  trees: ['operators'],
  versions: ['graphql'],
  bulk: ['graphql'],
  upsert: ['bulk', 'graphql'],
  'nested-create': ['relations'],
  'nested-pivots': ['bulk', 'nested-create', 'pivots', 'relations', 'upsert'],
  'soft-deletes': ['graphql', 'relations', 'sign-in'],
}

describe('the layers of the runtime', () => {
  const all = sources('runtime').flatMap(imports)

  test('nothing is imported from outside', () => {
    const outside = all.filter(({ to }) => !to.startsWith('runtime/'))
    expect(outside.map(arrow)).toEqual([])
  })

  test('each folder has its place', () => {
    const ofPackage = ['README.md', 'package.json']
    const known = new Set([...runtimeLayers.flat(), 'features', 'testing', ...ofPackage])
    expect(readdirSync(join(root, 'runtime')).filter((name) => !known.has(name))).toEqual([])
  })

  test('each imports only those below it', () => {
    expect(all.filter(isUpward).map(arrow).toSorted()).toEqual([])
  })

  test('the library for tests is imported by itself alone, and takes all that it is told of a project as arguments', () => {
    const others = all.filter(({ from, to }) => isTesting(to) && !isTesting(from))
    expect(others.map(arrow)).toEqual([])
    const specifiers = sources('runtime/testing').flatMap(specifiersIn)
    expect(specifiers.filter((specifier) => specifier.startsWith('#'))).toEqual([])
  })

  test('no file imports another one in a circle, not even for a type', () => {
    expect(circlesIn(all)).toEqual([])
  })

  test('nothing that runs for every request copies an object and adds to it', () => {
    expect(ofRequests.flatMap(sources).flatMap(growingCopies)).toEqual([])
  })
})

/** Where code runs for every request, and not only at the start. */
const ofRequests = [
  ...['http', 'input', 'kinds', 'operations', 'policy', 'query', 'sql'],
  ...['features/child-lists', 'features/pivots', 'features/reader-threads', 'features/relations'],
].map((folder) => `runtime/${folder}`)

/** Literals that begin with a spread: V8 keeps those that get more names until the next full collection. */
function growingCopies(source: Source): readonly string[] {
  if (!/\{\s*\.\.\./.test(source.text)) return []
  const literals = parsed(source).getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)
  return literals.flatMap((literal) => {
    const [first, ...rest] = literal.getProperties()
    if (rest.length === 0 || !Node.isSpreadAssignment(first)) return []
    return [`${source.path}:${literal.getStartLineNumber()}  ${literal.getText()}`]
  })
}

function isUpward({ from, to }: Import): boolean {
  const [, here = '', name = ''] = from.split('/')
  const [, there = '', other = ''] = to.split('/')
  const layer = (folder: string) => runtimeLayers.findIndex((each) => each.includes(folder))
  if (here === 'features' && there === 'features') {
    return name !== other && featuresOf[name]?.includes(other) !== true
  }
  // What would tell a policy from a weaker one is a condition, of relations too.
  const isAskingRelations = name === 'mutation' && other === 'relations'
  if (here === 'testing') return there === 'features' && !isAskingRelations
  return here !== 'features' && (there === 'features' || layer(there) < layer(here))
}

const isTesting = (path: string) => path.startsWith('runtime/testing/')

/** Files that can be reached from themselves, a line for each circle. */
function circlesIn(all: readonly Import[]): readonly string[] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of all) targets.set(from, [...(targets.get(from) ?? []), to])
  const reachable = (start: string): ReadonlySet<string> => {
    const found = new Set<string>()
    const waiting = [start]
    for (const path of waiting) {
      const news = (targets.get(path) ?? []).filter((each) => !found.has(each))
      waiting.push(...news)
      for (const each of news) found.add(each)
    }
    return found
  }
  const reached = new Map([...targets.keys()].map((path) => [path, reachable(path)]))
  const circles = [...reached]
    .filter(([path, files]) => files.has(path))
    .map(([path, files]) =>
      [...files]
        .filter((each) => reached.get(each)?.has(path))
        .toSorted()
        .join(' '),
    )
  return [...new Set(circles)].toSorted()
}

function prints(source: Source): boolean {
  if (!/\bconsole\b|\bprocess\b/.test(source.text)) return false
  return parsed(source)
    .getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)
    .some((access) => {
      const text = access.getText()
      return text.startsWith('console.') || /^process\.std(out|err)\.(write|end)$/.test(text)
    })
}

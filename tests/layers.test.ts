import { readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Node, Project, SyntaxKind, type SourceFile } from 'ts-morph'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each layer may import those before it; `index` is what people import, `cli` what they run. */
const layers = ['libraries', 'manifest', 'load', 'blueprint', 'plan', 'write', 'commands']

const project = new Project({
  skipAddingFilesFromTsConfig: true,
  skipFileDependencyResolution: true,
})

function sources(folder: string): readonly SourceFile[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => project.addSourceFileAtPath(join(entry.parentPath, entry.name)))
}

const nameOf = (source: SourceFile) => relative(root, source.getFilePath()).replaceAll('\\', '/')

interface Import {
  readonly from: string
  readonly to: string
}

/** Everything a file imports by path: statically, on demand, or as a type. */
function imports(source: SourceFile): readonly Import[] {
  const from = nameOf(source)
  const statics = source.getImportStringLiterals().map((literal) => literal.getLiteralText())
  const types = source.getDescendantsOfKind(SyntaxKind.ImportType).map((type) => {
    const argument = type.getArgument()
    const literal = Node.isLiteralTypeNode(argument) ? argument.getLiteral() : argument
    return Node.isStringLiteral(literal) ? literal.getLiteralText() : ''
  })
  return [...statics, ...types]
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolve(root, dirname(from), specifier))
    .map((path) => relative(root, path).replaceAll('\\', '/').replace(/\.js$/, '.ts'))
    .map((to) => ({ from, to }))
}

const layerOf = (path: string) => layers.indexOf(path.split('/')[1] ?? '')
const arrow = ({ from, to }: Import) => `${from} → ${to}`

describe('the layers of the generator', () => {
  const all = sources('generator')

  test('each imports only those before it', () => {
    const upward = all
      .flatMap(imports)
      .filter(({ from, to }) => layerOf(from) !== -1 && layerOf(to) > layerOf(from))
    expect(upward.map(arrow)).toEqual([])
  })

  test('nothing is imported from beside the layers, except for the tables that `index` gives', () => {
    const beside = all
      .flatMap(imports)
      .filter(({ to }) => to.startsWith('generator/') && layerOf(to) === -1)
    expect(beside.map(arrow)).toEqual([])
  })

  test('the manifest vocabulary imports nothing else', () => {
    const strangers = all
      .filter((source) => nameOf(source).startsWith('generator/manifest/'))
      .flatMap((source) =>
        source.getImportStringLiterals().map((literal) => literal.getLiteralText()),
      )
      .filter((specifier) => !specifier.startsWith('./'))
    expect(strangers).toEqual([])
  })

  test('the generator imports nothing of the runtime', () => {
    const runtime = all.flatMap(imports).filter(({ to }) => to.startsWith('runtime/'))
    expect(runtime.map(arrow)).toEqual([])
  })

  test('no file imports another one in a circle, not even for a type', () => {
    expect(circlesIn(all.flatMap(imports))).toEqual([])
  })

  test('only commands print', () => {
    const printing = all.filter(
      (source) => !nameOf(source).startsWith('generator/commands/') && prints(source),
    )
    expect(printing.map(nameOf)).toEqual([])
  })
})

/**
 * Each layer of the runtime may import those after it, and itself. `config/` and the files beside the folders are for all;
 * `features/<name>` may import every layer, and no layer a feature.
 */
const runtimeLayers = [
  ['http'],
  ['operations'],
  ['query', 'policy', 'input'],
  ['model'],
  ['sql'],
  ['database'],
  ['config', 'errors.ts', 'failures.ts', 'find-file.ts', 'setup-error.ts'],
]

/** What features may import of each other. */
const featuresOf: Readonly<Record<string, readonly string[]>> = {
  'child-lists': ['graphql', 'relations'],
  docs: ['openapi'],
  graphql: [],
  morphs: ['relations'],
  pivots: ['graphql', 'relations'],
  'sign-in': ['mail', 'relations'],
}

describe('the layers of the runtime', () => {
  const all = sources('runtime').flatMap(imports)

  test('nothing is imported from outside', () => {
    const outside = all.filter(({ to }) => !to.startsWith('runtime/'))
    expect(outside.map(arrow)).toEqual([])
  })

  test('each folder has its place', () => {
    const known = new Set([...runtimeLayers.flat(), 'features', 'README.md'])
    expect(readdirSync(join(root, 'runtime')).filter((name) => !known.has(name))).toEqual([])
  })

  test('each imports only those below it', () => {
    expect(all.filter(isUpward).map(arrow).toSorted()).toEqual([])
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
  ...['http', 'input', 'operations', 'policy', 'query', 'sql'],
  ...['features/child-lists', 'features/pivots', 'features/reader-threads', 'features/relations'],
].map((folder) => `runtime/${folder}`)

/** Literals that begin with a spread: V8 keeps those that get more names until the next full collection. */
function growingCopies(source: SourceFile): readonly string[] {
  const literals = source.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)
  return literals.flatMap((literal) => {
    const [first, ...rest] = literal.getProperties()
    if (rest.length === 0 || !Node.isSpreadAssignment(first)) return []
    return [`${nameOf(source)}:${literal.getStartLineNumber()}  ${literal.getText()}`]
  })
}

function isUpward({ from, to }: Import): boolean {
  const [, here = '', name = ''] = from.split('/')
  const [, there = '', other = ''] = to.split('/')
  const layer = (folder: string) => runtimeLayers.findIndex((each) => each.includes(folder))
  if (here === 'features' && there === 'features') {
    return name !== other && featuresOf[name]?.includes(other) !== true
  }
  return here !== 'features' && (there === 'features' || layer(there) < layer(here))
}

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

function prints(source: SourceFile): boolean {
  return source.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression).some((access) => {
    const text = access.getText()
    return text.startsWith('console.') || /^process\.std(out|err)\.(write|end)$/.test(text)
  })
}

import { readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Node, Project, SyntaxKind, type SourceFile } from 'ts-morph'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each layer may import those before it; `index` is what people import, `cli` what they run. */
const layers = ['manifest', 'load', 'blueprint', 'plan', 'write', 'commands']

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
    .map((path) => ({ from, to: relative(root, path).replaceAll('\\', '/') }))
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

  test('only commands print', () => {
    const printing = all.filter(
      (source) => !nameOf(source).startsWith('generator/commands/') && prints(source),
    )
    expect(printing.map(nameOf)).toEqual([])
  })
})

test('the runtime imports nothing from outside itself', () => {
  const outside = sources('runtime')
    .flatMap(imports)
    .filter(({ to }) => !to.startsWith('runtime/'))
  expect(outside.map(arrow)).toEqual([])
})

function prints(source: SourceFile): boolean {
  return source.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression).some((access) => {
    const text = access.getText()
    return text.startsWith('console.') || /^process\.std(out|err)\.(write|end)$/.test(text)
  })
}

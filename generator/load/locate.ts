import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ts as TypeScript } from 'ts-morph'
import { followPath } from './follow-path.js'
import type { Path, Position } from './position.js'

/** The data that finds a part of the manifest in its files. */
export interface Located {
  readonly root: string
  readonly entry: string
  /** The place of each call of `repository`, by the key in `defineManifest`. */
  readonly places: ReadonlyMap<string, Position>
}

/**
 * Where a part of the manifest stands: its key, or as near to it as the text shows.
 *
 *     the property, element or modifier     where each step can be seen
 *     the last one that can be seen         where keys come from a spread or a function
 *     the call of `repository`              where the repository does
 *     the top of the entry                  nothing at all can be seen
 */
export function locate({ root, entry, places }: Located, path: Path): Position {
  const [key = '', ...steps] = path
  const { ts } = typescript()
  const place = places.get(String(key))
  if (place === undefined || steps.length === 0) {
    const file = parse(ts, root, entry)
    const node = inManifest(ts, file, key === '' ? steps : ['repositories', ...path])
    return node === undefined ? { file: entry, line: 1, column: 1 } : positionOf(node, file, entry)
  }
  const file = parse(ts, root, place.file)
  const call = callAt(ts, file, place)
  const found = call === undefined ? undefined : followPath(ts, file, call, steps)
  return found === undefined ? place : positionOf(found, file, place.file)
}

type Node = TypeScript.Node
type SourceFile = TypeScript.SourceFile

/** The compiler takes a third of a second to load: only for problems. */
let loaded: { readonly ts: typeof TypeScript } | undefined
function typescript(): { readonly ts: typeof TypeScript } {
  // `createRequire` answers any; ts-morph's types are those of the package.
  loaded ??= createRequire(import.meta.url)(
    '../libraries/ts-morph.cjs',
  ) as typeof import('../libraries/ts-morph.cjs')
  return loaded
}

function parse(ts: typeof TypeScript, root: string, file: string): SourceFile {
  const text = readFileSync(join(root, file), 'utf8')
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

function positionOf(node: Node, source: SourceFile, file: string): Position {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
  return { file, line: line + 1, column: character + 1 }
}

/** The call that stands at a place. */
function callAt(ts: typeof TypeScript, file: SourceFile, { line, column }: Position) {
  const start = file.getPositionOfLineAndCharacter(line - 1, column - 1)
  const search = (node: Node): TypeScript.CallExpression | undefined => {
    if (ts.isCallExpression(node) && node.getStart(file) === start) return node
    return ts.forEachChild(node, (child) => (child.end > start ? search(child) : undefined))
  }
  return search(file)
}

/** A part of what `defineManifest` is given, or its call. */
function inManifest(ts: typeof TypeScript, file: SourceFile, path: Path): Node | undefined {
  const search = (node: Node): Node | undefined => {
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'defineManifest') {
      return followPath(ts, file, node, path) ?? node
    }
    return ts.forEachChild(node, search)
  }
  return search(file)
}

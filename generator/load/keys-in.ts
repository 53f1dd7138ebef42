import type { Position } from './position.js'

/** Comments and texts are consumed whole, so a key is only found where it is one. */
const TOKENS =
  /\/\/[^\n]*|\/\*[^]*?\*\/|\b(?:const|let|var)\s+(?<name>\w+)|\.[.\w$]+|(?<quote>['"]?)(?<key>[\w$-]+)\k<quote>(?=\s*[:,}])|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<open>[{[(])|(?<close>[}\])])|(?<comma>,)/g

/**
 * Where the keys of objects stand in a file: by the name of the constant and the keys they are below (`config.limits.body_bytes`),
 * the place of the first.
 */
export function keysIn(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const around: { readonly bracket: string; readonly path: readonly string[] }[] = []
  let named: readonly string[] = []
  let mayBeKey = false
  for (const { 0: token, groups = {}, index } of text.matchAll(TOKENS)) {
    const { name, key, open, close, comma } = groups
    const inside = around.at(-1)
    if (name !== undefined) named = [...(inside?.path ?? []), name]
    if (key !== undefined && mayBeKey && inside?.bracket === '{') {
      named = [...inside.path, key]
      const path = named.join('.')
      if (!places.has(path)) places.set(path, index)
    }
    if (open !== undefined) around.push({ bracket: open, path: named })
    if (close !== undefined) around.pop()
    const isComment = token.startsWith('//') || token.startsWith('/*')
    if (!isComment) mayBeKey = open === '{' || comma !== undefined
  }
  return places
}

/** Finds the place of a key, or of the part that contains it; a computed key is in the file. */
export function placeOfKey(
  { file, text }: { readonly file: string; readonly text: string },
  at: readonly string[],
): Position {
  const written = keysIn(text)
  const paths = at.map((_, less) => at.slice(0, at.length - less).join('.'))
  const index = paths.map((path) => written.get(path)).find((each) => each !== undefined) ?? 0
  const lines = text.slice(0, index).split('\n')
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

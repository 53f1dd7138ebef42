import { kinds } from '../kinds/kinds.js'
import { nearest, someOf } from '../manifest/nearest.js'
import { exporting, specifierOf } from './exporting.js'
import type { LoadProblem, Position } from './position.js'

/** A manifest asked for something else than the vocabulary and its own files. */
export class ForeignImport extends Error {
  constructor(readonly specifier: string) {
    super(`the manifest imports '${specifier}', and it may import only 'svckit' and its own files`)
  }
}

/** Milliseconds a manifest may take. It is data: a thousand repositories, some 400 KB, take fifty. */
export const timeoutOf = (code: string) => 3000 * Math.max(1, Math.ceil(code.length / 500_000))

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

type Vocabulary = Readonly<Record<string, unknown>>

/** Turns an error of the running manifest into a problem. */
export function thrown(
  error: unknown,
  position: Position,
  vocabulary: Vocabulary,
  { root, code }: { readonly root: string; readonly code: string },
): LoadProblem {
  if (error instanceof ForeignImport) {
    return {
      ...position,
      rule: 'foreign-import',
      message: error.message,
      fix: 'what needs a package belongs into app/Hooks or app/Policies',
    }
  }
  if (isTimeout(error)) {
    return {
      ...position,
      rule: 'manifest-hangs',
      message: `the manifest was not read within ${timeoutOf(code) / 1000} s, so svc stopped it`,
      fix: 'a manifest is data: leave out what waits, counts or searches',
    }
  }
  const raw = error instanceof Error ? error.message : String(error)
  const missing = importedWord(raw)
  const text = missing === null ? plain(raw) : `svckit has no '${missing}'; ${whereAll}`
  return {
    ...position,
    rule: 'manifest-throws',
    message: `the manifest cannot be read: ${text}`,
    ...(missing === null
      ? (wrongModifier(text, vocabulary) ?? wrongWord(text, vocabulary, position.file, root))
      : unknownWord(missing, vocabulary)),
  }
}

/** The page that lists the words. */
const whereAll = 'docs/manifest.md lists what it has'

/** The name of `(0, import_svckit.morphTo) is not a function`: imported, and not there. */
const importedWord = (text: string) =>
  /^\(0 ?, ?import_svckit\w*\.(\w+)\) is not a function$/.exec(text)?.[1] ?? null

/** `(0 , import_svckit.text)(...)` is how the bundle says `text(...)`. */
const plain = (text: string) =>
  text.replace(/\(0 ?, ?\w+\.(\w+)\)/g, '$1').replace(/\bimport_\w+\./g, '')

type Help = Pick<LoadProblem, 'known' | 'fix'>

/** `text().maximum(5)` */
function wrongModifier(text: string, vocabulary: Vocabulary): Help | null {
  const found = /^(\w+)\(\.\.\.\)(?:\.\w+\(\.\.\.\))*\.(\w+) is not a function$/.exec(text)
  const [, maker = '', name = ''] = found ?? []
  const known = modifiersOf(vocabulary[maker])
  return known.length === 0 ? null : helpWith(known, name, (meant) => `.${meant}(…)`)
}

/** Names of the functions that what `text()` gives has. */
function modifiersOf(maker: unknown): readonly string[] {
  if (typeof maker !== 'function') return []
  try {
    const made: object = maker(['a'])
    const all = { ...Object.getPrototypeOf(made), ...made }
    return Object.keys(all).filter((name) => typeof all[name] === 'function')
  } catch {
    return []
  }
}

/** `txt()`, or `text()` or `posts` that was not imported. */
function wrongWord(text: string, vocabulary: Vocabulary, file: string, root: string): Help | null {
  const name = /^(\w+) is not (?:defined|a function)$/.exec(text)?.[1]
  if (name === undefined) return null
  if (Object.hasOwn(vocabulary, name)) return { fix: `import { ${name} } from 'svckit'` }
  const source = exporting(root, name)
  if (source !== undefined && source !== file) {
    return { fix: `import { ${name} } from '${specifierOf(source, file)}'` }
  }
  const known = Object.keys(vocabulary)
  return nearest(name, known) === undefined ? null : unknownWord(name, vocabulary)
}

/** Words from other tools, and the words of svc. */
const MEANT: Readonly<Record<string, string>> = {
  string: 'text',
  varchar: 'text',
  int: 'integer',
  bigint: 'integer',
  double: 'float',
  bool: 'boolean',
  enum: 'select',
  timestamp: 'dateTime',
  jsonb: 'json',
  hasManyThrough: 'belongsToMany',
}

function unknownWord(name: string, vocabulary: Vocabulary): Help {
  const all = [...kinds.map((kind) => kind.name), ...Object.keys(vocabulary)]
  const meant = Object.hasOwn(MEANT, name) ? MEANT[name] : nearest(name, all)
  const known = someOf(name, all)
  return meant === undefined ? { known } : { known, fix: meant }
}

function helpWith(known: readonly string[], name: string, say: (meant: string) => string): Help {
  const meant = nearest(name, known)
  const sorted = known.toSorted()
  return meant === undefined ? { known: sorted } : { known: sorted, fix: say(meant) }
}

import type { Definition } from 'clipanion'
import { nearest } from '../manifest/nearest.js'

/**
 * What is wrong with a command line: a word of it, or how many there are; null: clipanion's own text says it.
 *
 *     svc generate has no option '--chek'
 *       known  --check, --dry-run, …
 *       fix    svc generate --check
 */
export function wrongWord(
  line: readonly string[],
  said: string,
  definitions: readonly Definition[],
): string | null {
  const words = line.map((word, at) => (at === 0 ? word.replace(/^svc:/, '') : word))
  const command = commandOf(words, definitions)
  const [first = ''] = words
  if (command === undefined && !first.startsWith('-')) {
    const known = [...new Set(definitions.map(({ path }) => wordsOf(path)[0] ?? ''))].filter(isWord)
    return explained(`there is no command 'svc ${first}'`, first, known, words)
  }
  const extra = /^Extraneous positional argument \("(.*)"\)/.exec(said)?.[1]
  const below = command === undefined ? [] : wordsBelow(command, definitions)
  if (command !== undefined && extra !== undefined && below.length > 0) {
    return explained(`there is no command '${command.path} ${extra}'`, extra, below, words)
  }
  const written = /^(?:Unsupported|Invalid) option name \("(.*)"\)/.exec(said)?.[1]
  if (written === undefined) return command === undefined ? null : misused(command, said, line)
  const [option = ''] = written.split('=')
  const name = command?.path ?? 'svc'
  return explained(`${name} has no option '${option}'`, option, optionsOf(command), words)
}

function misused({ usage }: Definition, said: string, line: readonly string[]): string {
  const typed = `'svc ${line.join(' ')}'`
  const isShort = said.startsWith('Not enough')
  const what = isShort ? `an argument is missing in ${typed}` : `${typed} has wrong arguments`
  // Clipanion's own text knows of options that have to be there.
  const [, whole = usage] = /^(?:\$| *\d+\.) (svc .*)$/m.exec(said) ?? []
  return `${what}\n  usage  ${whole}`
}

const wordsOf = (path: string) => path.split(' ').slice(1)
const isWord = (word: string) => /^[a-z]/.test(word)

/** The one with the most words that the line begins with. */
function commandOf(words: readonly string[], definitions: readonly Definition[]) {
  return definitions
    .filter(({ path }) => wordsOf(path).every((word, at) => words[at] === word))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
}

/** `save` and the like of `svc migrate`. */
const wordsBelow = ({ path }: Definition, definitions: readonly Definition[]) =>
  definitions
    .filter((each) => each.path.startsWith(`${path} `))
    .map((each) => each.path.slice(path.length + 1))

/** Every command explains itself; svc alone says its version too. */
function optionsOf(command: Definition | undefined): readonly string[] {
  const ofCommand = command?.options.flatMap(
    ({ definition }) => /--[\w-]+/.exec(definition)?.[0] ?? [],
  )
  return ofCommand === undefined ? ['--help', '--version'] : [...ofCommand, '--help']
}

function explained(
  message: string,
  wrong: string,
  known: readonly string[],
  line: readonly string[],
): string {
  const meant = nearest(wrong, known)
  const right = line.map((word) =>
    meant !== undefined && word.split('=')[0] === wrong ? word.replace(wrong, meant) : word,
  )
  const fix = meant === undefined ? [] : [`  fix    svc ${right.join(' ')}`]
  return [message, `  known  ${known.toSorted().join(', ')}`, ...fix].join('\n')
}

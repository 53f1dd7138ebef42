import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAlone, syntaxProblem } from './config-data.js'
import { isLoadProblem, type LoadProblem, type Position } from './position.js'

/** `auth.user_model` of `config/svc.ts`: a URI key, or null for none; and where it says so. */
export interface UserModel {
  readonly name: string | null
  /** The config names one, or people sign in already; else `users` is a guess. */
  readonly isNamed: boolean
  readonly position: Position
  /** `auth.user_with`: relations loaded with the user. Absent: none. */
  readonly userWith?: readonly string[]
  /** `auth.verify_email`: addresses are verified by mail. */
  readonly verifyEmail?: boolean
}

const FILE = 'config/svc.ts'

/** The copy of a file that every project with sign-in has. */
const SIGNED_IN = 'app/auth.ts'

const keys = ['user_model', 'user_with', 'verify_email'] as const
type Key = (typeof keys)[number]
type Said = Readonly<Partial<Record<Key, unknown>>>

/**
 * What the config says about sign-in; null where there is no config, or it does not say. It is run alone: its imports
 * need the emitted server's packages, and the generator runs before they are installed. So a value may be computed in
 * the file, and not come from elsewhere.
 *
 * Where people sign in already, silence is no guess: `users` do, until the config says null. A field that is renamed,
 * or a config that is lost, must not open every route.
 */
export async function readUserModel(projectDir: string): Promise<UserModel | LoadProblem | null> {
  const path = join(projectDir, FILE)
  const isNamed = wrote(projectDir, SIGNED_IN)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const places = placesOf(text)
  const found = text === '' ? {} : await authOf(text)
  if (isLoadProblem(found)) return found
  const said = found ?? literalsOf(text)
  const problems = keys.map((key) => problemOf(key, said, places)).filter(isLoadProblem)
  const [problem] = problems
  if (problem !== undefined) return problem
  const { user_model: name, user_with: userWith, verify_email: verifyEmail } = said
  const position = places.get('user_model') ?? [...places.values()][0] ?? positionAt(text, 0)
  if (name === null) return { name, isNamed: true, position }
  const more = {
    ...(isTexts(userWith) && userWith.length > 0 ? { userWith } : {}),
    ...(verifyEmail === true ? { verifyEmail } : {}),
  }
  if (typeof name === 'string') return { name, isNamed: true, position, ...more }
  if (!isNamed && Object.keys(more).length === 0) return null
  return { name: 'users', isNamed, position, ...more }
}

/** Returns true if svc wrote that file: it is a heading of the base. */
function wrote(projectDir: string, path: string): boolean {
  const base = join(projectDir, '.svc/base.txt')
  // As bytes: of 1,000 repositories it has ten million, and making a text of them takes longer than looking through them.
  const bytes = existsSync(base) ? readFileSync(base) : null
  return bytes !== null && [`\n${path}\n`, `\n${path}\r\n`].some((line) => bytes.includes(line))
}

/** `auth` of the config; null when the file cannot be run alone, or waits for its conflicts to be settled. */
async function authOf(text: string): Promise<Said | LoadProblem | null> {
  try {
    const { config } = await runAlone(text, () => imported)
    const auth = isRecord(config) ? config['auth'] : undefined
    return isRecord(auth) ? auth : {}
  } catch (error) {
    return /^<{7} /m.test(text) ? null : syntaxProblem(error, FILE, 'config-syntax')
  }
}

/** Values that are written out, of a config that needs its imports to run. */
function literalsOf(text: string): Said {
  const pairs = tokensIn(text).flatMap(({ key, after }) => {
    const value = /^\s*:\s*(null|true|false|'[^'\n]*'|"[^"\n]*"|\[[^\]]*\])\s*[,}\n]/.exec(
      after,
    )?.[1]
    const parsed = value === undefined ? undefined : parseLiteral(value)
    return parsed === undefined ? [] : [[key, parsed] as const]
  })
  return Object.fromEntries(pairs)
}

function parseLiteral(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll("'", '"').replace(/,\s*\]$/, ']'))
  } catch {
    return undefined
  }
}

/** `defineConfig` gives back what it is given; anything else that is imported is no value. */
const imported: object = new Proxy({}, { get: () => (value: unknown) => value })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

interface Kind {
  readonly isOne: (value: unknown) => boolean
  readonly fix: string
}

const kinds: Readonly<Record<Key, Kind>> = {
  user_model: {
    isOne: (value) => value === null || typeof value === 'string',
    fix: "user_model: 'users'",
  },
  user_with: { isOne: isTexts, fix: "user_with: ['roles']" },
  verify_email: { isOne: (value) => typeof value === 'boolean', fix: 'verify_email: true' },
}

/** A key that is written and has no value of its kind was computed from what is not here. */
function problemOf(key: Key, said: Said, places: ReadonlyMap<Key, Position>): LoadProblem | null {
  const place = places.get(key)
  const { isOne, fix } = kinds[key]
  if (isOne(said[key]) || (place === undefined && said[key] === undefined)) return null
  return {
    ...(place ?? { file: FILE, line: 1, column: 1 }),
    rule: `${key.replace('_', '-')}-unreadable`,
    message: `auth.${key} has a value that svc cannot see: svc runs the config without its imports`,
    fix,
  }
}

/** Comments and texts are consumed whole, so a key is only found where it is one. */
const TOKENS =
  /\/\/[^\n]*|\/\*[^]*?\*\/|(?<quote>['"]?)\b(?<key>user_model|user_with|verify_email)\b\k<quote>(?=\s*[:,}])|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

function tokensIn(text: string) {
  return [...text.matchAll(TOKENS)].flatMap(({ 0: token, groups, index }) => {
    const key = keys.find((each) => each === groups?.['key'])
    return key === undefined ? [] : [{ key, index, after: text.slice(index + token.length) }]
  })
}

/** Finds the first place of each key; `const user_model =` is none. */
function placesOf(text: string): ReadonlyMap<Key, Position> {
  const found = tokensIn(text).map(({ key, index }) => [key, positionAt(text, index)] as const)
  return new Map(found.toReversed())
}

function positionAt(text: string, index: number): Position {
  const lines = text.slice(0, index).split('\n')
  return { file: FILE, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

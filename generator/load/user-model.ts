import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadProblem, Position } from './position.js'

/** `auth.user_model` of `config/svc.ts`: a URI key, or null for nobody; and where it says so. */
export interface UserModel {
  readonly name: string | null
  readonly position: Position
  /** `auth.user_with`: relations loaded with the user. Absent: none. */
  readonly userWith?: readonly string[]
  /** `auth.verify_email`: addresses are verified by mail. */
  readonly verifyEmail?: boolean
}

const FILE = 'config/svc.ts'

/**
 * Comments and texts are consumed whole, so a key is only found where it is one. The config is not imported:
 * it needs the emitted server's packages, and the generator runs before they are installed.
 */
const TOKENS =
  /\/\/[^\n]*|\/\*[^]*?\*\/|(?<quote>['"]?)\b(?<key>user_model|user_with|verify_email)\b\k<quote>\s*:\s*(?<value>null\b|\[[^\]]*\]|'[^'\n]*'|"[^"\n]*"|`[^`$]*`|[^\s,}]*)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

/** What the config says about sign-in; null where there is no config, or it does not say. */
export function readUserModel(projectDir: string): UserModel | LoadProblem | null {
  const path = join(projectDir, FILE)
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  const found = [...text.matchAll(TOKENS)].filter(({ groups }) => groups?.['value'] !== undefined)
  const said = (key: string) => found.find(({ groups }) => groups?.['key'] === key)
  const match = said('user_model')
  const more = {
    ...userWith(said('user_with')?.groups?.['value']),
    ...(said('verify_email')?.groups?.['value'] === 'true' ? { verifyEmail: true } : {}),
  }
  const value = match?.groups?.['value']
  if (match === undefined || value === undefined) {
    if (Object.keys(more).length === 0) return null
    return { name: 'users', position: positionAt(text, found[0]?.index ?? 0), ...more }
  }
  const position = positionAt(text, match.index)
  if (value === 'null') return { name: null, position }
  if (/^['"`]/.test(value)) return { name: value.slice(1, -1), position, ...more }
  return {
    ...position,
    rule: 'user-model-unreadable',
    message: `auth.user_model is ${value === '' ? 'not a text' : `'${value}'`}, and svc reads it without running the config`,
    fix: "user_model: 'users'",
  }
}

function positionAt(text: string, index: number): Position {
  const lines = text.slice(0, index).split('\n')
  return { file: FILE, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** The texts of a list; what else it may hold is not read. */
function userWith(list: string | undefined): { readonly userWith?: readonly string[] } {
  const names = [...(list ?? '').matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`$]*)`/g)]
  if (names.length === 0) return {}
  return { userWith: names.map(([, one, other, third]) => one ?? other ?? third ?? '') }
}

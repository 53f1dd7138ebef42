import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadProblem, Position } from './position.js'

/** `auth.user_model` of `config/svc.ts`: a URI key, or null for nobody; and where it says so. */
export interface UserModel {
  readonly name: string | null
  readonly position: Position
}

const FILE = 'config/svc.ts'

/**
 * Comments and texts are consumed whole, so `user_model` is only found where it is a key. The config is not imported:
 * it needs the emitted server's packages, and the generator runs before they are installed.
 */
const TOKENS =
  /\/\/[^\n]*|\/\*[^]*?\*\/|(?:(?<quote>['"])user_model\k<quote>|\buser_model\b)\s*:\s*(?<value>null\b|'[^'\n]*'|"[^"\n]*"|`[^`$]*`|[^\s,}]*)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

/** What the config says about sign-in; null where there is no config, or it does not say. */
export function readUserModel(projectDir: string): UserModel | LoadProblem | null {
  const path = join(projectDir, FILE)
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  const match = [...text.matchAll(TOKENS)].find(({ groups }) => groups?.['value'] !== undefined)
  const value = match?.groups?.['value']
  if (match === undefined || value === undefined) return null
  const position = positionAt(text, match.index)
  if (value === 'null') return { name: null, position }
  if (/^['"`]/.test(value)) return { name: value.slice(1, -1), position }
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

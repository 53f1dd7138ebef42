import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As the process of the tests answers. */
export type MissingTest =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly request: string }
  | {
      readonly kind: 'request'
      readonly as: string
      readonly request: string
      readonly test: TestText
    }

/** A test that notices it: it was run with the mutant and without. */
export interface TestText {
  readonly name: string
  readonly lines: readonly string[]
  /** Functions it needs besides `expect`: `makeOrder`, `signInAs`, `sendAsNobody`, `db`. */
  readonly uses: readonly string[]
}

export type Known =
  | { readonly id: string; readonly killedBy: string }
  | { readonly id: string; readonly missingTest: MissingTest }

interface Differs {
  readonly differs: readonly string[]
}

/**
 * Reads the results of earlier runs, and of this one so far. A line that was cut off is not known.
 */
export function knownIn(file: string): {
  readonly known: ReadonlyMap<string, Known>
  readonly differs: readonly string[]
} {
  const known = new Map<string, Known>()
  let differs: readonly string[] = []
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  for (const line of lines) {
    const value = parsed(line)
    if (value === null) continue
    if ('differs' in value) differs = value.differs
    else known.set(value.id, value)
  }
  return { known, differs }
}

function parsed(line: string): Known | Differs | null {
  try {
    // Only the process of the tests writes it.
    return JSON.parse(line) as Known | Differs
  } catch {
    return null
  }
}

const folders = ['app', 'config', 'manifest', 'prisma', 'routes', 'runtime', 'tests']
const files = ['package.json', 'package-lock.json', 'svc.lock.json', 'vitest.config.ts']

/** Hashes the state of the results: another text of any file is another state. */
export function stateOf(root: string): string {
  const hash = createHash('sha256')
  const add = (path: string) => hash.update(`${path}\0${readFileSync(join(root, path), 'utf8')}\0`)
  for (const path of files) if (existsSync(join(root, path))) add(path)
  for (const folder of folders) for (const path of filesBelow(root, folder)) add(path)
  return hash.digest('hex').slice(0, 16)
}

export function filesBelow(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.([cm]?[jt]s|json|md|prisma|sql)$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted()
}

import { posix } from 'node:path'
import type { default as TypeScript } from 'typescript'
import type { Plan, PlanFile } from '../plan/status.js'
import { isInstalled } from './installed.js'
import { at, own, type Target } from './target.js'

/** A line of the developer's that does not compile. */
export interface Broken {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
}

export interface Checked {
  readonly broken: readonly Broken[]
  /** False: there was not enough time for all files. */
  readonly isComplete: boolean
}

const nothing: Checked = { broken: [], isComplete: true }

/** Milliseconds; a project that takes longer has its own `npm run check`. */
const patience = 5000

/**
 * After a change: the lines in the developer's own files that do not compile. Looks only at files that speak of what
 * changed, and not before the project has its dependencies.
 */
export async function checkOwnFiles(target: Target, plan: Plan): Promise<Checked> {
  const changed = plan.files.filter(isChangedCode)
  if (changed.length === 0 || !isInstalled(target, 'hono')) return nothing
  const names = namesIn(changed)
  const paths = ownFiles(target, plan).filter((path) => {
    return names === null || names.test(target.files.read(at(target, path)) ?? '')
  })
  return paths.length === 0 ? nothing : check(target, paths)
}

const isChangedCode = ({ path, before, content, baseBefore, base }: PlanFile) =>
  path.endsWith('.ts') && before !== content && (baseBefore !== null || base !== null)

const perRepository = /^app\/.*?(\w+)(Repository|Controller|Policy|Hooks|Resolver)\.ts$/

/** Repositories that changed, as a pattern of the names they give; null: more than repositories changed. */
function namesIn(changed: readonly PlanFile[]): RegExp | null {
  if (changed.some(({ path }) => path.startsWith('runtime/'))) return null
  const names = changed.flatMap(({ path }) => perRepository.exec(path)?.[1] ?? [])
  return new RegExp(`\\b(${[...new Set(names), 'Tables'].join('|')})(?![a-z])`)
}

const folders = ['app', 'routes', 'config', 'tests', 'prisma']

/** TypeScript that svc does not write, or that the developer edited. */
function ownFiles(target: Target, plan: Plan): readonly string[] {
  const svcs = new Set(
    plan.files.flatMap(({ path, owner, content, base }) =>
      owner === 'svc' && content === base ? [path] : [],
    ),
  )
  return folders
    .flatMap((folder) => filesIn(target, folder))
    .filter((path) => path.endsWith('.ts') && !svcs.has(path))
}

function filesIn(target: Target, folder: string): readonly string[] {
  return [...target.files.list(at(target, folder))].flatMap(([name, kind]) => {
    const path = posix.join(folder, name)
    if (kind === 'folder') return path === 'prisma/client' ? [] : filesIn(target, path)
    return kind === 'file' && !path.startsWith(own.folder) ? [path] : []
  })
}

async function check(target: Target, paths: readonly string[]): Promise<Checked> {
  const { ts } = await import('ts-morph')
  const read = ts.readConfigFile(at(target, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(read.config ?? {}, ts.sys, target.root)
  const roots = paths.map((path) => at(target, path))
  const until = performance.now() + patience
  const program = ts.createProgram(roots, { ...options, noEmit: true, skipLibCheck: true })
  const stop = {
    isCancellationRequested: () => performance.now() > until,
    throwIfCancellationRequested: () => {
      if (performance.now() > until) throw new ts.OperationCanceledException()
    },
  }
  const broken: Broken[] = []
  try {
    for (const [index, path] of paths.entries()) {
      const file = program.getSourceFile(roots[index] ?? '')
      const found = [
        ...program.getSyntacticDiagnostics(file, stop),
        ...program.getSemanticDiagnostics(file, stop),
      ]
      broken.push(...found.map((each) => brokenLine(ts, path, each)))
    }
    return { broken, isComplete: true }
  } catch (error) {
    if (error instanceof ts.OperationCanceledException) return { broken, isComplete: false }
    throw error
  }
}

function brokenLine(
  ts: Pick<typeof TypeScript, 'flattenDiagnosticMessageText'>,
  path: string,
  { file, start = 0, messageText }: TypeScript.Diagnostic,
): Broken {
  const at = file?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 }
  const [message = ''] = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')
  return { path, line: at.line + 1, column: at.character + 1, message }
}

import { posix } from 'node:path'
import type { Entity } from '../blueprint/types.js'
import type { Plan, PlanFile } from '../plan/status.js'
import { compile, type Broken } from './compile.js'
import { isInstalled } from './installed.js'
import { at, own, type Target } from './target.js'

export interface Checked {
  /** Lines of the developer's that compiled before the change and do not now. */
  readonly broken: readonly Broken[]
  /** False: there was not enough time or memory for all files. */
  readonly isComplete: boolean
}

const nothing: Checked = { broken: [], isComplete: true }

/** What the project held before the run, and what of it only the run's start could see. */
export interface Before {
  readonly plan: Plan
  readonly entities: readonly Entity[]
  /** Texts of `prisma/client`, which is in no plan; empty when it stays as it is. */
  readonly client: ReadonlyMap<string, string>
}

/**
 * After a change: the lines in the developer's own files that no longer compile. Looks only at files that speak of what
 * changed, and not before the project has its dependencies.
 */
export async function checkOwnFiles(target: Target, before: Before): Promise<Checked> {
  const { plan, entities, client } = before
  const changed = plan.files.filter(isChangedCode)
  if (changed.length === 0 || !isReady(target)) return nothing
  const names = namesIn(changed, entities)
  const paths = ownFiles(target, plan).filter((path) => {
    return names === null || names.test(target.files.read(at(target, path)) ?? '')
  })
  if (paths.length === 0) return nothing
  const origins = new Map(plan.files.map(({ path, movedFrom = path }) => [path, movedFrom]))
  return compile({
    root: target.root,
    paths: paths.map((path) => ({ now: path, before: origins.get(path) ?? path })),
    before: [...textsBefore(plan), ...client],
  })
}

const isReady = (target: Target) => isInstalled(target, 'hono') && isInstalled(target, 'typescript')

const isChangedCode = ({ path, before, content, baseBefore, base }: PlanFile) =>
  path.endsWith('.ts') && before !== content && (baseBefore !== null || base !== null)

/** Files that the run changed, as they were; null: there was none. */
function textsBefore({ files }: Plan): readonly (readonly [string, string | null])[] {
  return files
    .filter(({ before, content }) => before !== content)
    .map(({ path, before }) => [path, before] as const)
}

const perRepository = /^app\/.*?(\w+)(Repository|Controller|Policy|Hooks|Resolver)\.ts$/

/** What code calls the repositories that changed; null: more than repositories changed. */
function namesIn(changed: readonly PlanFile[], entities: readonly Entity[]): RegExp | null {
  if (changed.some(({ path }) => path.startsWith('runtime/'))) return null
  const found = new Set(changed.flatMap(({ path }) => perRepository.exec(path)?.[1] ?? []))
  if (found.size === 0) return null
  const spoken = entities
    .filter(({ name }) => found.has(name))
    .flatMap(({ key, table, variable }) => [key, table, variable])
  return new RegExp([...new Set([...found, ...spoken, 'Tables'])].join('|'), 'i')
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
    .filter((path) => isCode(path) && !svcs.has(path))
}

const clientFolder = 'prisma/client'

function filesIn(target: Target, folder: string): readonly string[] {
  return [...target.files.list(at(target, folder))].flatMap(([name, kind]) => {
    const path = posix.join(folder, name)
    if (kind === 'folder') return path === clientFolder ? [] : filesIn(target, path)
    return kind === 'file' && !path.startsWith(own.folder) ? [path] : []
  })
}

/** Characters; a larger client is taken for unchanged. */
const largestClient = 8_000_000

/** Prisma's client as it is before the run makes it anew: seeds are written against it. */
export function readClient(target: Target, { files }: Plan): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const isChanging = files.some(({ path, before, content }) => {
    return path.startsWith('prisma/schema/') && before !== content
  })
  if (!isChanging) return texts
  let size = 0
  for (const path of filesIn(target, clientFolder).filter(isCode)) {
    const text = target.files.read(at(target, path)) ?? ''
    size += text.length
    if (size > largestClient) return new Map()
    texts.set(path, text)
  }
  return texts
}

const isCode = (path: string) => path.endsWith('.ts')

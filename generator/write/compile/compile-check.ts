import { posix } from 'node:path'
import type { Entity } from '../../blueprint/types.js'
import type { Plan, PlanFile } from '../../plan/status.js'
import { isInstalled } from '../project/installed.js'
import { at, svcPaths, type Target } from '../target.js'
import { readBroken, saveBroken } from './broken-lines.js'
import { compile } from './compile.js'
import type { Found } from './found-errors.js'
import { reaching } from './reached.js'

export interface Checked {
  /** Lines of the developer's that compiled before the change and do not now. */
  readonly broken: readonly Found[]
  /** False: there was not enough time or memory for all files. */
  readonly isComplete: boolean
}

const nothing: Checked = { broken: [], isComplete: true }

/**
 * Texts of the developer's that a change may have broken: files that speak of what changed and import it, once the project
 * has its dependencies. A file is right as long as it is what svc would write today, whoever owns it. So are those in which an
 * earlier run broke lines.
 */
export function filesToCheck(
  target: Target,
  plan: Plan,
  entities: readonly Entity[],
): ReadonlyMap<string, string> {
  if (!isReady(target)) return new Map()
  const broken = new Map(
    readBroken(target).flatMap(({ path }) => {
      const text = target.files.read(at(target, path))
      return text === null ? [] : [[path, text] as const]
    }),
  )
  const changed = plan.files.filter(isChangedCode)
  if (changed.length === 0) return broken
  const names = namesIn(changed, entities)
  const texts = ownFiles(target, plan).map(
    (path) => [path, target.files.read(at(target, path)) ?? ''] as const,
  )
  const isReaching = reaching(target, plan, new Set(changed.map(({ path }) => path)))
  return new Map([
    ...broken,
    ...texts.filter(([path, text]) => (names === null || names.test(text)) && isReaching(path)),
  ])
}

/** The lines in these files that compiled before this run, or an earlier one, and do not now. `client`: texts of `prisma/client` before it. */
export async function checkOwnFiles(
  target: Target,
  plan: Plan,
  paths: readonly string[],
  client: ReadonlyMap<string, string>,
): Promise<Checked> {
  if (paths.length === 0) return nothing
  const origins = new Map(plan.files.map(({ path, movedFrom = path }) => [path, movedFrom]))
  const checked = await compile({
    root: target.root,
    paths: paths.map((path) => ({ now: path, before: origins.get(path) ?? path })),
    before: [...textsBefore(plan), ...client],
    stillBroken: readBroken(target),
  })
  if (checked.isComplete) saveBroken(target, checked.broken)
  return checked
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

/** Returns the names of the changed repositories in code; null: more than repositories changed. */
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
    plan.files.flatMap(({ path, owner, content, base, rendered }) =>
      content === rendered || (owner === 'svc' && content === base) ? [path] : [],
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
    return kind === 'file' && !path.startsWith(svcPaths.folder) ? [path] : []
  })
}

/** Characters; a larger client is taken for unchanged. */
const largestClient = 8_000_000

/** Prisma's client as it is before it is made anew: seeds are written against it. */
export function readClient(target: Target): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
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

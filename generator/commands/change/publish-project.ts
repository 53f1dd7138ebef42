import { formatProblems } from '../../blueprint/problems.js'
import type { Rendered } from '../../plan/status.js'
import { baseChanges, readBase } from '../../write/base/base-store.js'
import { apply } from '../../write/run/apply.js'
import { alone } from '../../write/run/run-lock.js'
import { repair } from '../../write/run/take-back.js'
import { undisturbed } from '../../write/run/undisturbed.js'
import { at, targetAt, type Target } from '../../write/target.js'
import type { Features } from '../context.js'
import { exitCodes } from '../failure.js'
import { readConfigs } from '../feature-facts.js'
import { readBlueprint } from '../read-blueprint.js'
import { renderFiles } from './render-files.js'

interface Published {
  readonly lines: readonly string[]
  readonly exitCode: number
}

/** Writes files as a new project has them. One that is there stays unless it is to be replaced. */
export async function publish(
  root: string,
  features: Features,
  paths: readonly string[],
  isForced: boolean,
): Promise<Published> {
  const target = targetAt(root)
  const read = await readBlueprint(root, features)
  if ('problems' in read) return problemLines(read.problems)
  const { blueprint } = read
  const { facts, problems } = await readConfigs(root, features, blueprint)
  if (problems.length > 0 && !isForced) return problemLines(problems)
  const rendered = await renderFiles(target, { blueprint, facts }, { features })
  const files = rendered.filter(({ path }) => paths.includes(path))
  const written = await alone(target, () => {
    repair(target)
    return undisturbed(async () => write(target, files, isForced))
  })
  return {
    lines: files.map(({ path }) => line(path, written.has(path))),
    exitCode: exitCodes.done,
  }
}

/** The paths it wrote. */
function write(target: Target, files: readonly Rendered[], isForced: boolean): ReadonlySet<string> {
  const present = (path: string) => target.files.read(at(target, path))
  const written = files.filter(({ path, content }) => {
    const before = present(path)
    return before === null || (isForced && before !== content)
  })
  const texts = new Map(written.map(({ path, content }) => [path, content]))
  const changes = [
    ...written.map(({ path, content }) => ({ path, before: present(path), after: content })),
    ...baseChanges(target, readBase(target), texts),
  ]
  apply(
    target,
    changes.filter(({ before, after }) => before !== after),
  )
  return new Set(written.map(({ path }) => path))
}

const line = (path: string, isWritten: boolean) =>
  isWritten ? `Published ${path}.` : `${path} exists already; --force replaces it.`

const problemLines = (problems: Parameters<typeof formatProblems>[0]): Published => ({
  lines: [formatProblems(problems)],
  exitCode: exitCodes.problems,
})

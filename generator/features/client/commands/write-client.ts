import { relative, resolve } from 'node:path'
import { ProblemsError } from '../../../blueprint/problems-error.js'
import { formatProblems } from '../../../blueprint/problems.js'
import { Refusal } from '../../../blueprint/refusal.js'
import type { Features } from '../../../commands/context.js'
import { exitCodes } from '../../../commands/failure.js'
import { readBlueprint } from '../../../commands/read-blueprint.js'
import { fileLines, summary } from '../../../commands/report/file-lines.js'
import { adviceLines } from '../../../commands/report/report.js'
import type { Plan } from '../../../plan/status.js'
import { readBase } from '../../../write/base/base-store.js'
import { planOwnFolder, readOwnFolder } from '../../../write/base/own-folder.js'
import { apply } from '../../../write/run/apply.js'
import { ignoreChange } from '../../../write/run/changes.js'
import { alone } from '../../../write/run/run-lock.js'
import { repair } from '../../../write/run/take-back.js'
import { undisturbed } from '../../../write/run/undisturbed.js'
import { targetAt, type Target } from '../../../write/target.js'
import { notAsked } from '../../described-routes/reader.js'
import { clientPathProblem, clientSettings, type ClientSettings } from '../check.js'
import { renderClient } from '../read/render-client.js'
import { clientFolder, clientIn } from '../reader.js'

export interface ClientCommandOptions {
  /** As it was typed: relative to where the command runs, or absolute. */
  readonly folder: string
  readonly hasQueries: boolean
  readonly zod: boolean
  readonly isColored: boolean
}

interface Said {
  readonly lines: readonly string[]
  readonly exitCode: number
}

/** Writes the client of the project, and nothing else. */
export async function writeClient(
  root: string,
  features: Features,
  { folder, hasQueries, zod, isColored }: ClientCommandOptions,
): Promise<Said> {
  const path = relative(root, resolve(root, folder)).replaceAll('\\', '/') || '.'
  const problem = clientPathProblem(path)
  if (problem !== null) throw new Refusal(`The client cannot be written to '${path}', ${problem}.`)
  const settings = clientSettings(path, hasQueries, zod)
  const read = await readBlueprint(root, features)
  if ('problems' in read) return problemLines(read.problems)
  const { blueprint } = read
  const target = targetAt(root)
  try {
    const plan = await alone(target, () => {
      repair(target)
      return undisturbed(async () => {
        const own = clientFolder(settings)
        const files = await renderClient(target, blueprint, settings, {
          features,
          base: readBase(target),
        })
        const disk = readOwnFolder(target, own)
        return written(target, { files: planOwnFolder({ ...own, files, disk }) })
      })
    })
    const options = { isChecking: false, isWriting: true, isColored }
    const step = clientIn(blueprint) === null ? inStep(settings) : []
    const unread = adviceLines(await notAsked(target, blueprint))
    return {
      lines: [summary(plan, options), ...fileLines(plan, options), ...unread, ...step],
      exitCode: exitCodes.done,
    }
  } catch (error) {
    if (error instanceof ProblemsError) return problemLines(error.problems)
    throw error
  }
}

const problemLines = (problems: ProblemsError['problems']): Said => ({
  lines: [formatProblems(problems)],
  exitCode: exitCodes.problems,
})

function written(target: Target, plan: Plan): Plan {
  const changes = plan.files
    .map(({ path, before, content: after }) => ({ path, before, after }))
    .filter(({ before, after }) => before !== after)
  if (changes.length > 0) apply(target, [...changes, ...ignoreChange(target)])
  return plan
}

/** Returns the line of the manifest that lets `svc generate` write the client. */
function inStep({ path, query, zod }: ClientSettings): readonly string[] {
  const more = [...(query === null ? [] : [`query: '${query}'`]), ...(zod ? ['zod: true'] : [])]
  const client = more.length === 0 ? `'${path}'` : `{ path: '${path}', ${more.join(', ')} }`
  return ['', `\`svc generate\` keeps it in step when the manifest says  client: ${client}`]
}

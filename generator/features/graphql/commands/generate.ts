import { confirm, isCancel } from '@clack/prompts'
import type { Outcome } from '../../../commands/change/generate-options.js'
import type { GenerateOptions } from '../../../commands/change/generate-options.js'
import { generate } from '../../../commands/change/generate-project.js'
import type { Features } from '../../../commands/context.js'
import { exitCodes } from '../../../commands/failure.js'
import { reportGenerated } from '../../../commands/report/report.js'
import { GRAPHQL_CONFIG } from '../read/config-file.js'
import { cleanFolder, settingsIn, type GraphqlSettings } from '../settings.js'
import { isUpToDate, previewLines } from './preview.js'

export interface GraphqlOptions {
  readonly root: string
  readonly features: Features
  readonly force: boolean
  readonly skipPreview: boolean
  readonly resolvers: boolean
  readonly outputPath: string | undefined
  readonly schemaFile: string | undefined
  readonly isOnTerminal: boolean
  readonly isColored: boolean
  readonly say: (...lines: readonly string[]) => void
}

/** Preview, question, files. In a pipe there is no terminal to ask on, so without an answer nothing is written. */
export async function generateGraphql(options: GraphqlOptions): Promise<number> {
  const run = runOptions(options)
  const { say, isColored } = options
  if (!options.skipPreview) {
    const outcome = await generate(options.root, { ...run, isWriting: false })
    if (outcome.kind === 'problems') return report(outcome, false, options)
    if (!settingsIn(outcome.facts).enabled) return switchedOff(options)
    say(...previewLines(outcome, options, isColored))
    if (isUpToDate(outcome)) return exitCodes.done
    if (!options.force) {
      const answer = await ask(options)
      if (answer !== 'yes') return answer === 'no' ? exitCodes.done : exitCodes.problems
    }
  }
  const outcome = await generate(options.root, { ...run, isWriting: true })
  if (outcome.kind === 'planned' && !settingsIn(outcome.facts).enabled) return switchedOff(options)
  return report(outcome, true, options)
}

function runOptions(options: GraphqlOptions): Omit<GenerateOptions, 'isWriting'> {
  const { features, force, resolvers, outputPath, schemaFile } = options
  const path = outputPath === undefined ? {} : { path: cleanFolder(outputPath) }
  const file = schemaFile === undefined ? {} : { schema_file: schemaFile }
  return {
    features,
    force,
    conflicts: 'stop',
    config: { graphql: { ...path, ...file, ...(resolvers ? { resolvers: true } : {}) } },
    only: (path, facts) => isOurs(path, settingsIn(facts), options),
  }
}

/** The schema; the resolvers when asked for; and what serves them when they move or are new. */
function isOurs(
  path: string,
  { enabled, output }: GraphqlSettings,
  options: GraphqlOptions,
): boolean {
  if (!enabled) return false
  if (path === `${output.path}/${output.schema_file}`) return true
  const isMoving = options.outputPath !== undefined || options.schemaFile !== undefined
  if (isMoving && movable.test(path)) return true
  const isWired = isMoving || options.resolvers
  if (isWired && [GRAPHQL_CONFIG, `${output.path}/endpoint.ts`, 'routes/graphql.ts'].includes(path))
    return true
  return options.resolvers && path.startsWith(`${output.path}/Resolvers/`)
}

/** Also where they are moved from. */
const movable =
  /(^|\/)(Resolvers\/\w+Resolver\.ts|endpoint\.ts|[\w.-]+\.graphql|Dockerfile|README\.md)$/

async function ask({ isOnTerminal, say }: GraphqlOptions): Promise<'yes' | 'no' | 'unasked'> {
  if (!isOnTerminal) {
    say('', 'Nothing was written: there is no terminal to ask on.')
    say(
      'Run it again with --skip-preview to write these files, or --force to overwrite edited ones too.',
    )
    return 'unasked'
  }
  const answer = await confirm({ message: 'Write these files?' })
  if (!isCancel(answer) && answer) return 'yes'
  say('Operation cancelled.')
  return 'no'
}

function switchedOff({ say }: GraphqlOptions): number {
  say(`GraphQL is switched off: set enabled: true in ${GRAPHQL_CONFIG}.`)
  return exitCodes.problems
}

function report(outcome: Outcome, isWriting: boolean, { say, isColored }: GraphqlOptions): number {
  const { lines, exitCode } = reportGenerated(outcome, {
    ...{ isChecking: false, isWriting, isColored },
    settling:
      '`svc graphql:generate --force` replaces your edits, `svc generate --conflicts` takes sides',
  })
  say(...lines)
  return exitCode
}

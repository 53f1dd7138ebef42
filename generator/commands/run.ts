import { Cli, UsageError, type BaseContext } from 'clipanion'
import { ownVersion } from '../source/package-files.js'
import { tellingWaits } from '../write/run/waits.js'
import { DevCommand } from './change/dev.js'
import { GenerateCommand } from './change/generate.js'
import { AdoptCommand, EjectCommand } from './change/hand-over.js'
import { publishCommand, PublishRuntimeCommand } from './change/publish.js'
import { UndoCommand } from './change/undo.js'
import { isColored, isTerminal } from './command.js'
import type { CommandLine, SvcContext } from './context.js'
import {
  MigrateCommand,
  MigrateDeployCommand,
  MigrateSaveCommand,
  MigrateStatusCommand,
} from './database/migrate.js'
import { exitCodes, reportFailure } from './failure.js'
import { HelpCommand, VersionCommand } from './help.js'
import { DescribeCommand } from './inspect/describe.js'
import { DiffCommand } from './inspect/diff.js'
import { DoctorCommand } from './inspect/doctor.js'
import { RoutesCommand } from './inspect/routes.js'
import { InitCommand } from './start/init.js'
import { NewCommand } from './start/new.js'

/** `svc --help` lists the commands of each group in this order. */
const commandsWith = ({ commands, tags }: CommandLine) => [
  NewCommand,
  InitCommand,
  DevCommand,
  GenerateCommand,
  DiffCommand,
  UndoCommand,
  EjectCommand,
  AdoptCommand,
  publishCommand(tags),
  PublishRuntimeCommand,
  MigrateCommand,
  MigrateSaveCommand,
  MigrateDeployCommand,
  MigrateStatusCommand,
  DescribeCommand,
  RoutesCommand,
  DoctorCommand,
  ...commands,
  HelpCommand,
  VersionCommand,
]

/** The values of each option. Clipanion itself prints `#0`. */
const values: Readonly<Record<string, string>> = {
  '--check': '<old.json>',
  '--conflicts': 'markers|ours|theirs',
  '--database': 'sqlite|postgresql',
  '--example': 'blog|shop|team',
  '--from': '<url>',
  '--policies': 'nobody|owner|signed-in|public-read',
  '--query': 'tanstack',
}

class SvcCli extends Cli<SvcContext> {
  /** Names the values before clipanion lays the options out in columns. */
  protected override getUsageByIndex(
    ...parameters: Parameters<Cli<SvcContext>['getUsageByIndex']>
  ) {
    const { usage, options } = super.getUsageByIndex(...parameters)
    const named = options.map((option) => ({
      ...option,
      definition: withValues(option.definition),
    }))
    return { usage: withValues(usage), options: named }
  }

  override error(...parameters: Parameters<Cli<SvcContext>['error']>): string {
    return withValues(super.error(...parameters))
  }
}

const withValues = (text: string) =>
  text.replaceAll(
    /(--[\w-]+) #0/g,
    (_, option: string) => `${option} ${values[option] ?? '<value>'}`,
  )

/** The folder and the streams of a command. Tests pass their own. */
export interface Surroundings extends Partial<BaseContext> {
  readonly cwd?: string
}

/** Runs one command line and returns its exit code. Every failure ends here. */
export async function run(
  typed: readonly string[],
  features: CommandLine,
  surroundings: Surroundings = {},
): Promise<number> {
  const line = withHelpFlag(typed)
  const { cwd = process.cwd(), ...streams } = surroundings
  const context = { ...Cli.defaultContext, ...features, ...streams, cwd }
  const commands = commandsWith(features)
  const enableColors = isColored(context)
  const names = { binaryLabel: 'svc', binaryName: 'svc', binaryVersion: ownVersion, enableColors }
  const cli = new SvcCli(names)
  for (const command of commands) cli.register(command)
  try {
    const command = cli.process(
      line.length === 0 ? ['--help'] : [...helpFirst(line, commands)],
      context,
    )
    // `cli.run` does this too, but it prints failures itself and returns 1 for all of them.
    Object.assign(command, { cli })
    // Replaces the line that shows the progress of a run.
    const clear = isTerminal(context.stderr) ? '\r\u001B[2K' : ''
    const tell = (text: string) => void context.stderr.write(`${clear}${text}\n`)
    return (await tellingWaits(tell, () => command.validateAndExecute())) ?? exitCodes.done
  } catch (error) {
    return reportFailure(await clearer(error, line, cli), cli, context)
  }
}

/** Reads `svc help new` as `svc new --help`. */
const withHelpFlag = (line: readonly string[]): readonly string[] =>
  line[0] === 'help' && line.length > 1 ? [...line.slice(1), '--help'] : line

/** Reads `svc new shop --help` as `svc new --help`: clipanion accepts the flag only right behind the name of a command. */
function helpFirst(
  line: readonly string[],
  commands: ReturnType<typeof commandsWith>,
): readonly string[] {
  const end = line.indexOf('--')
  const options = end === -1 ? line : line.slice(0, end)
  if (!options.includes('--help') && !options.includes('-h')) return line
  const words = options.filter((word) => !word.startsWith('-'))
  const [path] = commands
    .flatMap(({ paths = [] }): readonly (readonly string[])[] => paths)
    .filter((candidate) => candidate.every((word, at) => word === words[at]))
    .toSorted((one, other) => other.length - one.length)
  return path === undefined ? line : [...path, '--help']
}

/** Clipanion would print the usage of every command for a word that it does not know. */
async function clearer(error: unknown, line: readonly string[], cli: SvcCli): Promise<unknown> {
  if (!(error instanceof Error) || error.name !== 'UnknownSyntaxError') return error
  const { wrongWord } = await import('./wrong-line.js')
  const text = wrongWord(line, error.message, cli.definitions())
  return text === null ? error : new UsageError(withValues(text))
}

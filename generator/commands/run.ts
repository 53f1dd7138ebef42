import { Cli, UsageError, type BaseContext } from 'clipanion'
import { featureCommands } from '../features/commands.js'
import { ownVersion } from '../source/package-files.js'
import { tellingWaits } from '../write/run/waits.js'
import { DevCommand } from './change/dev.js'
import { GenerateCommand } from './change/generate.js'
import { AdoptCommand, EjectCommand } from './change/hand-over.js'
import { PublishCommand, PublishRuntimeCommand } from './change/publish.js'
import { UndoCommand } from './change/undo.js'
import { isColored, isTerminal } from './command.js'
import type { SvcContext } from './context.js'
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

/** In the order `svc --help` lists them. */
const commands = [
  NewCommand,
  InitCommand,
  GenerateCommand,
  DevCommand,
  MigrateCommand,
  PublishCommand,
  PublishRuntimeCommand,
  MigrateSaveCommand,
  MigrateDeployCommand,
  MigrateStatusCommand,
  RoutesCommand,
  DescribeCommand,
  DoctorCommand,
  DiffCommand,
  EjectCommand,
  AdoptCommand,
  UndoCommand,
  ...featureCommands,
  HelpCommand,
  VersionCommand,
]

/** What an option takes; clipanion itself says `#0`. */
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
  /** Before clipanion lays the options out in columns. */
  protected override getUsageByIndex(...given: Parameters<Cli<SvcContext>['getUsageByIndex']>) {
    const { usage, options } = super.getUsageByIndex(...given)
    const named = options.map((each) => ({ ...each, definition: withValues(each.definition) }))
    return { usage: withValues(usage), options: named }
  }

  override error(...given: Parameters<Cli<SvcContext>['error']>): string {
    return withValues(super.error(...given))
  }
}

const withValues = (text: string) =>
  text.replaceAll(
    /(--[\w-]+) #0/g,
    (_, option: string) => `${option} ${values[option] ?? '<value>'}`,
  )

/** Where a command runs and speaks. Tests pass their own. */
export interface Surroundings extends Partial<BaseContext> {
  readonly cwd?: string
}

/** Runs one command line and answers its exit code. Every failure ends here. */
export async function run(
  line: readonly string[],
  surroundings: Surroundings = {},
): Promise<number> {
  const { cwd = process.cwd(), ...streams } = surroundings
  const context = { ...Cli.defaultContext, ...streams, cwd }
  const enableColors = isColored(context)
  const names = { binaryLabel: 'svc', binaryName: 'svc', binaryVersion: ownVersion, enableColors }
  const cli = new SvcCli(names)
  for (const command of commands) cli.register(command)
  try {
    const command = cli.process(line.length === 0 ? ['--help'] : [...helpFirst(line)], context)
    // What `cli.run` does, which would print failures itself and answer 1 for all of them.
    Object.assign(command, { cli })
    // In place of the line that says what a run is doing.
    const clear = isTerminal(context.stderr) ? '\r\u001B[2K' : ''
    const tell = (text: string) => void context.stderr.write(`${clear}${text}\n`)
    return (await tellingWaits(tell, () => command.validateAndExecute())) ?? exitCodes.done
  } catch (error) {
    return reportFailure(await clearer(error, line, cli), cli, context)
  }
}

/** `svc new shop --help`: clipanion knows `--help` only right behind the name of a command. */
function helpFirst(line: readonly string[]): readonly string[] {
  const end = line.indexOf('--')
  const own = end === -1 ? line : line.slice(0, end)
  if (!own.includes('--help') && !own.includes('-h')) return line
  const words = own.filter((word) => !word.startsWith('-'))
  const [path] = commands
    .flatMap(({ paths }): readonly (readonly string[])[] => paths)
    .filter((each) => each.every((word, at) => word === words[at]))
    .toSorted((one, other) => other.length - one.length)
  return path === undefined ? line : [...path, '--help']
}

/** Clipanion answers a word it does not know with the usage of everything. */
async function clearer(error: unknown, line: readonly string[], cli: SvcCli): Promise<unknown> {
  if (!(error instanceof Error) || error.name !== 'UnknownSyntaxError') return error
  const { wrongWord } = await import('./wrong-line.js')
  const text = wrongWord(line, error.message, cli.definitions())
  return text === null ? error : new UsageError(withValues(text))
}

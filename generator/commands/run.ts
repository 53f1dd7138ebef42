import { Cli, type BaseContext } from 'clipanion'
import { ownVersion } from '../plan/package-files.js'
import type { SvcContext } from './command.js'
import { DevCommand } from './dev.js'
import { DiffCommand } from './diff.js'
import { reportFailure } from './failure.js'
import { GenerateCommand } from './generate.js'
import { HelpCommand, VersionCommand } from './help.js'
import { NewCommand } from './new.js'
import { RoutesCommand } from './routes.js'
import { UndoCommand } from './undo.js'

/** In the order `svc --help` lists them. */
const commands = [
  NewCommand,
  GenerateCommand,
  DevCommand,
  RoutesCommand,
  DiffCommand,
  UndoCommand,
  HelpCommand,
  VersionCommand,
]

/** Where a command runs and speaks. Tests pass their own. */
export interface Surroundings extends Partial<BaseContext> {
  readonly cwd?: string
}

/** Runs one command line and answers its exit code. Every failure ends here. */
export async function run(line: readonly string[], surroundings: Surroundings = {}): Promise<number> {
  const { cwd = process.cwd(), ...streams } = surroundings
  const cli = new Cli<SvcContext>({ binaryLabel: 'svc', binaryName: 'svc', binaryVersion: ownVersion })
  for (const command of commands) cli.register(command)
  const context = { ...Cli.defaultContext, ...streams, cwd }
  try {
    const command = cli.process([...line], context)
    if (command.help) {
      context.stdout.write(cli.usage(command, { detailed: true }))
      return 0
    }
    return (await command.validateAndExecute()) ?? 0
  } catch (error) {
    return reportFailure(error, cli, context)
  }
}

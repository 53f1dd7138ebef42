import { pendingOf } from '../features/commands.js'
import { ownVersion } from '../source/package-files.js'
import { SvcCommand } from './command.js'

const codes = `
Exit codes:

  0   done; with --check: nothing to write
  1   problems in the manifest, or svc refused: nothing was written, or what is left to do is said
  2   --check: there is something to write; ${pendingOf.map((text) => `${text}; `).join('')}of doctor --production: something is wrong
  3   a file changed on both sides: see the .svc-new file beside it
  70  a bug in svc

\`svc <command> --help\` says more about a command.
`

export class HelpCommand extends SvcCommand {
  static override paths = [['help'], ['-h'], ['--help']]

  override async execute(): Promise<number> {
    this.context.stdout.write(this.cli.usage(null) + codes)
    return 0
  }
}

export class VersionCommand extends SvcCommand {
  static override paths = [['-v'], ['--version']]

  override async execute(): Promise<number> {
    this.say(ownVersion)
    return 0
  }
}

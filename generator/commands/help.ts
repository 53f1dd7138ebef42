import type { Definition } from 'clipanion'
import { ownVersion } from '../source/package-files.js'
import { SvcCommand } from './command.js'
import type { CommandExitCode } from './context.js'

/** Each command names its group as the `category` of its usage. */
const groups = ['Start', 'Change', 'Database', 'Inspect'] as const

const exitMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'The command did its work.'],
  [1, 'The manifest has problems, or svc refused. The text says what is left to do.'],
  [2, 'Something needs your attention.'],
  [3, 'You and svc changed the same lines: see the `.svc-new` file beside the file.'],
  [70, 'svc has a bug. Please report it.'],
]

const commandExitCodes: readonly CommandExitCode[] = [
  { code: 2, command: 'generate --check', meaning: 'something is not generated yet' },
  { code: 2, command: 'doctor --production', meaning: 'something is wrong' },
]

export class HelpCommand extends SvcCommand {
  static override paths = [['help'], ['-h'], ['--help']]

  override async execute(): Promise<number> {
    this.say(
      `svc ${ownVersion} writes a complete server from a TypeScript manifest.`,
      '',
      '  svc <command> [options]',
      '  svc help <command>         Explain a command and its options',
      ...groups.flatMap((group) => groupLines(group, this.cli.definitions())),
      ...exitCodeLines(this.context.exitCodes),
    )
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

function groupLines(group: string, definitions: readonly Definition[]): readonly string[] {
  const lines = definitions
    .filter(({ category }) => category?.trim() === group)
    .map(({ path, description = '' }) => `  ${path.padEnd(25)}  ${description.trim()}`)
  return ['', group, '', ...lines]
}

function exitCodeLines(ofFeatures: readonly CommandExitCode[]): readonly string[] {
  const lines = exitMeanings.flatMap(([code, meaning]) => [
    `  ${String(code).padEnd(4)}${meaning}`,
    ...[...commandExitCodes, ...ofFeatures]
      .filter((exit) => exit.code === code)
      .map(({ command, meaning: special }) => `        ${command.padEnd(23)}${special}`),
  ])
  return ['', 'Exit codes', '', ...lines]
}

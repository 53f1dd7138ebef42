import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'
import { exitCodes } from '../failure.js'

export class UndoCommand extends SvcCommand {
  static override paths = [['undo'], ['svc:undo']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Restore the project as it was before the last run',
    details: `
      Restores every file that the last run created, changed or removed. If you have edited one of them since, svc refuses
      and names it. Databases do not change. If the last run was the first, it made the whole project but the manifest: then
      svc asks before it removes the files.
    `,
  })

  yes = Option.Boolean('--yes', false, { description: 'Do not ask' })

  override async execute(): Promise<number> {
    const { madeByFirstRun, undoLastRun } = await import('./undo-project.js')
    const made = this.yes ? null : madeByFirstRun(this.context.cwd)
    if (made !== null && !(await this.agrees(made))) return exitCodes.problems
    const { leftLines } = await import('../../write/run/take-back.js')
    const { taken, clientFailure } = await undoLastRun(this.context.cwd)
    this.say(...filesLines('Restored', taken.restored), ...leftLines(taken))
    if (clientFailure === null) return exitCodes.done
    this.say('', clientFailure)
    return exitCodes.problems
  }

  private async agrees(made: readonly string[]): Promise<boolean> {
    this.say(...filesLines('The last run was the first: undo would remove', made))
    if (!this.isOnTerminal) {
      this.say('Nothing was undone: there is no terminal to ask on. `svc undo --yes` does it.')
      return false
    }
    const { confirm, isCancel } = await import('@clack/prompts')
    const answer = await confirm({ message: 'Remove them?', initialValue: false })
    if (!isCancel(answer) && answer) return true
    this.say('Nothing was undone.')
    return false
  }
}

/** More than a screen of names says less than their number. */
const most = 6

function filesLines(verb: string, paths: readonly string[]): readonly string[] {
  const head = `${verb} ${paths.length} ${paths.length === 1 ? 'file' : 'files'}`
  if (paths.length === 0) return [`${head}.`]
  const named = paths.length > most ? paths.slice(0, most - 1) : paths
  const rest = paths.length - named.length
  return [
    `${head}:`,
    ...named.map((path) => `  ${path}`),
    ...(rest === 0 ? [] : [`  … and ${rest} more`]),
  ]
}

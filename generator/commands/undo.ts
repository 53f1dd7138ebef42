import { Command } from 'clipanion'
import { SvcCommand } from './command.js'

export class UndoCommand extends SvcCommand {
  static override paths = [['undo'], ['svc:undo']]

  static override usage = Command.Usage({
    description: 'restore the project as it was before the last run',
    details: `
      Brings back every file that the last writing run created, changed or removed. Refuses, naming them, when some were
      edited since. Databases are not touched.
    `,
  })

  override async execute(): Promise<number> {
    const { undoLastRun } = await import('./undo-project.js')
    const { leftLines } = await import('../write/take-back.js')
    const taken = await undoLastRun(this.context.cwd)
    this.say(...restoredLines(taken.restored), ...leftLines(taken))
    return 0
  }
}

/** More than a screen of names says less than their number. */
const most = 6

function restoredLines(paths: readonly string[]): readonly string[] {
  const head = `Restored ${paths.length} ${paths.length === 1 ? 'file' : 'files'}`
  if (paths.length === 0) return [`${head}.`]
  const named = paths.length > most ? paths.slice(0, most - 1) : paths
  const rest = paths.length - named.length
  return [
    `${head}:`,
    ...named.map((path) => `  ${path}`),
    ...(rest === 0 ? [] : [`  … and ${rest} more`]),
  ]
}

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
    const { restored } = taken
    this.say(`Restored ${restored.length} ${restored.length === 1 ? 'file' : 'files'}.`)
    this.say(...leftLines(taken))
    return 0
  }
}

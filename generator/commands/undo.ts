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
    const { restored, left } = await undoLastRun(this.context.cwd)
    this.say(`Restored ${restored.length} ${restored.length === 1 ? 'file' : 'files'}.`)
    this.say(...left.map((path) => `  ${path} was edited since, and stays as it is; ${path}.svc-old is what it was before that run`))
    return 0
  }
}

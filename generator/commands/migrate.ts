import { Command, Option } from 'clipanion'
import { SvcCommand } from './command.js'

export class MigrateCommand extends SvcCommand {
  static override paths = [['migrate'], ['svc:migrate']]

  static override usage = Command.Usage({
    description: "bring the development database up to the project's migrations and draft",
    details: `
      Runs \`npm run migrate\`, and also moves a database that has an earlier draft to the one of today. Refuses to drop data
      until it is told \`--accept-data-loss\`.
    `,
  })

  acceptDataLoss = Option.Boolean('--accept-data-loss', false, {
    description: 'Apply a draft that drops columns or rows',
  })

  override async execute(): Promise<number> {
    const { migrateProject } = await import('./migrate-project.js')
    const say = (...lines: readonly string[]) => this.say(...lines)
    const { acceptDataLoss } = this
    return (await migrateProject({ root: this.context.cwd, say, acceptDataLoss })) ? 0 : 1
  }
}

import { Command, Option } from 'clipanion'
import { SvcCommand } from './command.js'

export class DoctorCommand extends SvcCommand {
  static override paths = [['doctor'], ['svc:doctor']]

  static override usage = Command.Usage({
    description: 'what is wrong with the project, and what will hurt in production',
    details: `
      Compares the lock and \`.svc/base\` with the files, and looks for secrets in version control and for policies that
      compare with null: then it exits with 1.
      Also names unindexed filters, sorts and foreign keys, public repositories, policies without a test, and page sizes
      without a bound. Writes nothing.
    `,
  })

  json = Option.Boolean('--json', false, { description: 'As JSON' })

  override async execute(): Promise<number> {
    const { diagnose } = await import('./diagnose.js')
    const { lines, json, exitCode } = await diagnose(this.context.cwd)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

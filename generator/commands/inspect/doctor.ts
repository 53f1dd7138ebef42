import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DoctorCommand extends SvcCommand {
  static override paths = [['doctor'], ['svc:doctor']]

  static override usage = Command.Usage({
    description: 'what is wrong with the project, and what will hurt in production',
    details: `
      Compares the lock and \`.svc/base.txt\` with the files, and looks for secrets in version control and for policies that
      compare with null, and a runtime older than the svckit that is installed: then it exits with 1.
      Also names unindexed filters, sorts and foreign keys, public repositories, policies without a test, policies whose
      SQL forgets a trash, gates that users can open themselves, and page sizes without a bound. Writes nothing.

      \`--production\`, run with the environment of production, reads that and the database too: settings, migrations that are
      not applied, indexes that are missing, lists that its plans go through a whole large table for, texts without a bound, sizes of tables. It exits with 2 when something is wrong.
    `,
  })

  production = Option.Boolean('--production', false, {
    description: 'Also the settings of production, and the database they lead to',
  })

  json = Option.Boolean('--json', false, { description: 'As JSON' })

  override async execute(): Promise<number> {
    const { diagnose } = await import('./diagnose.js')
    const { lines, json, exitCode } = await diagnose(this.context.cwd, {
      isProduction: this.production,
    })
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DoctorCommand extends SvcCommand {
  static override paths = [['doctor'], ['svc:doctor']]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'Find mistakes in the project, and risks for production',
    details: `
      Exits with 1 if the lock or \`.svc/base.txt\` does not match the files, a secret is in version control, a policy
      compares with null, or the project's runtime is older than the installed svckit.

      Also lists filters, sorts and foreign keys without an index, public repositories, policies without a test, policies
      whose SQL forgets trashed rows, gates that users can open themselves, and page sizes without a bound. The command
      writes nothing.

      Run \`--production\` with the environment of production. It also checks settings, pending migrations, missing indexes,
      queries that scan a large table, texts without a bound, and table sizes. It exits with 2 if something is wrong.
    `,
  })

  production = Option.Boolean('--production', false, {
    description: 'Also check the settings of production, and its database',
  })

  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { diagnose } = await import('./diagnose.js')
    const features = await this.context.features()
    const { lines, json, exitCode } = await diagnose(this.context.cwd, features, {
      isProduction: this.production,
    })
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

import { Command, Option, UsageError } from 'clipanion'
import type { Example } from '../../plan/render/starter.js'
import { SvcCommand } from '../command.js'
import { oneOf, runtimeOption } from './one-of.js'

const databases = ['sqlite', 'postgresql'] as const
const examples = ['blog', 'shop', 'team'] as const satisfies readonly Example[]
const policies = ['owner', 'signed-in', 'public-read', 'nobody'] as const

export class NewCommand extends SvcCommand {
  static override paths = [['new'], ['svc:new']]

  static override usage = Command.Usage({
    category: 'Start',
    description: 'Create a project and generate its server',
    details: `
      Writes a small manifest (or that of an example), generates the server, and prints what to do next. On a terminal, svc
      asks for each option that you leave out. In a pipe it takes the defaults: SQLite, the small manifest, and policies
      of \`owner\`.

      \`--policies\` sets what the first policies allow, and those of later repositories too (\`newPolicies\` in the
      manifest). With \`owner\`, users read and write their own rows. With \`signed-in\`, every signed-in user may do
      everything. With \`public-read\`, everyone may read, and users write their own rows. With \`nobody\`, nothing is
      allowed until you write it.

      All servers share a package, \`svckit-runtime\`. \`--runtime own\` puts its files into the project instead, for you to
      edit.

      An example comes with its own policies, rows, and a page \`TRY.md\` of things to try. \`shop\` has roles, decimals, and
      orders that staff handles. \`team\` has tenants, users who belong to several of them, and invitations. \`blog\` has
      every kind of relation.
    `,
    examples: [
      ['Start small', 'svc new shop'],
      ['Let everyone read, and users write their own rows', 'svc new shop --policies public-read'],
      ['Keep the files of the runtime in the project', 'svc new shop --runtime own'],
      ['Start from an example', 'svc new shop --example shop'],
    ],
  })

  folder = Option.String({ name: 'dir', required: false })
  example = Option.String('--example', {
    description: 'Start from an example: `blog`, `shop` or `team`',
  })
  database = Option.String('--database', { description: '`sqlite` (default) or `postgresql`' })

  policies = Option.String('--policies', {
    description: '`owner` (default), `signed-in`, `public-read` or `nobody`',
  })

  runtime = Option.String('--runtime', {
    description: '`package` (default), or `own`: its files are in the project, for you to edit',
  })

  override async execute(): Promise<number> {
    const given = {
      folder: this.folder,
      example: oneOf('--example', examples, this.example),
      database: oneOf('--database', databases, this.database),
      policies: oneOf('--policies', policies, this.policies),
    }
    const runtime = runtimeOption(this.runtime)
    if (given.example !== undefined && given.policies !== undefined) {
      throw new UsageError('An example has its own policies: --example or --policies, not both.')
    }
    const { askForProject } = await import('./ask-for-project.js')
    const choice = this.isOnTerminal ? await askForProject(given) : given
    if (choice === null) return 1
    if (choice.folder === undefined) throw new UsageError('Name the folder: svc new <dir>')
    const { makeProject } = await import('./make-project.js')
    const { lines, exitCode } = await makeProject({
      cwd: this.context.cwd,
      features: await this.context.features(),
      folder: choice.folder,
      example: choice.example ?? null,
      database: choice.database ?? 'sqlite',
      policies: choice.policies === 'nobody' ? null : (choice.policies ?? 'owner'),
      runtime,
      isColored: this.isColored,
    })
    this.say(...lines)
    return exitCode
  }
}

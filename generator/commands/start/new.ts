import { Command, Option, UsageError } from 'clipanion'
import type { Example } from '../../plan/render/starter.js'
import { SvcCommand } from '../command.js'
import { oneOf, runtimeOption } from './one-of.js'

const databases = ['sqlite', 'postgresql'] as const
const examples = ['blog', 'shop', 'team'] as const satisfies readonly Example[]
const policies = ['nobody', 'owner', 'signed-in', 'public-read'] as const

export class NewCommand extends SvcCommand {
  static override paths = [['new'], ['svc:new']]

  static override usage = Command.Usage({
    description: 'make a project and generate its server',
    details: `
      Writes a small manifest (or that of an example), generates the server, and says what to do next. On a terminal it
      asks for what is not given; in a pipe it takes the defaults: SQLite, the small manifest, and policies that deny.

      \`--policies\` says what policies open at first, those of later repositories too (\`newPolicies\` in the manifest):
      \`owner\` one's own rows, \`signed-in\` everything for everyone who is signed in, \`public-read\` reading for everyone
      and writing one's own rows, \`nobody\` nothing.

      What every server has in common is a package, \`svckit-runtime\`. \`--runtime own\` puts its files into the project
      instead, to be edited.

      An example has policies of its own, rows, and \`TRY.md\`, which says what to try: \`shop\` has roles, decimals and orders
      of customers that staff handles; \`team\` has tenants, people in several of them, and invitations; \`blog\` has every kind
      of relation.
    `,
    examples: [
      ['Start small', 'svc new shop'],
      ["Start with one's own rows open to everyone who signs in", 'svc new shop --policies owner'],
      ['Start with the runtime in the project', 'svc new shop --runtime own'],
      ['Start from an example', 'svc new shop --example shop'],
    ],
  })

  folder = Option.String({ name: 'dir', required: false })
  example = Option.String('--example', {
    description: 'Start from an example: `blog`, `shop` or `team`',
  })
  database = Option.String('--database', { description: '`sqlite` (default) or `postgresql`' })

  policies = Option.String('--policies', {
    description: '`nobody` (default), `owner`, `signed-in` or `public-read`',
  })

  runtime = Option.String('--runtime', {
    description: '`package` (default), or `own`: its files are in the project, to be edited',
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
      folder: choice.folder,
      example: choice.example ?? null,
      database: choice.database ?? 'sqlite',
      policies: choice.policies === 'nobody' ? null : (choice.policies ?? null),
      runtime,
      isColored: this.isColored,
    })
    this.say(...lines)
    return exitCode
  }
}

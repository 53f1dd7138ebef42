import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../command.js'
import { oneOf, runtimeOption } from './one-of.js'

export class InitCommand extends SvcCommand {
  static override paths = [['init'], ['svc:init']]

  static override usage = Command.Usage({
    category: 'Start',
    description: 'Create a project from an existing database',
    details: `
      Reads a PostgreSQL database or an SQLite file, writes a manifest for it, and generates the server. svc changes nothing
      in the database: its present schema is where your migrations begin. If svc cannot serve a table or a column, it names
      it with the reason and leaves it alone. svc never overwrites an existing manifest.
    `,
    examples: [
      [
        'From a PostgreSQL database',
        'svc init shop --from postgresql://user:password@127.0.0.1:5432/shop',
      ],
      ['From an SQLite file', 'svc init shop --from file:shop.sqlite'],
    ],
  })

  folder = Option.String({ name: 'dir', required: false })
  from = Option.String('--from', { description: 'The database: its URL, or `file:` and a path' })

  runtime = Option.String('--runtime', {
    description: '`package` (default), or `own`: its files are in the project, for you to edit',
  })

  policies = Option.String('--policies', {
    description: 'What the first policies allow: `nobody` (default) or `public-read`',
  })

  override async execute(): Promise<number> {
    if (this.from === undefined)
      throw new UsageError('Name the database: svc init <dir> --from <url>')
    const policies = policiesOption(this.policies)
    const { initProject } = await import('./existing/init-project.js')
    const { lines, exitCode } = await initProject({
      cwd: this.context.cwd,
      features: await this.context.features(),
      folder: this.folder ?? '.',
      from: this.from,
      runtime: runtimeOption(this.runtime),
      policies,
      isColored: this.isColored,
    })
    this.say(...lines)
    return exitCode
  }
}

const policies = ['nobody', 'public-read', 'owner', 'signed-in'] as const

/** Until there is a repository whose rows sign in, a row has no owner. */
function policiesOption(text: string | undefined): 'public-read' | null {
  const named = oneOf('--policies', policies, text)
  if (named !== 'owner' && named !== 'signed-in') return named === 'public-read' ? named : null
  throw new UsageError(
    `The project has no sign-in yet, so --policies takes nobody or public-read here. Once you have added sign-in, newPolicies: '${named}' in manifest/index.ts opens the policies that you have not edited.`,
  )
}

import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../command.js'
import { oneOf, runtimeOption } from './one-of.js'

export class InitCommand extends SvcCommand {
  static override paths = [['init'], ['svc:init']]

  static override usage = Command.Usage({
    description: 'make a project on a database that is there',
    details: `
      Reads a PostgreSQL database or an SQLite file into a manifest, and generates its server. Tables and columns that cannot
      be served are named, with the reason, and left alone. Nothing in the database is changed: it is where the migrations
      begin. A manifest that is there is not written over.
    `,
    examples: [
      [
        'On a PostgreSQL database',
        'svc init shop --from postgresql://user:password@127.0.0.1:5432/shop',
      ],
      ['On an SQLite file', 'svc init shop --from file:shop.sqlite'],
    ],
  })

  folder = Option.String({ name: 'dir', required: false })
  from = Option.String('--from', { description: 'The database: its URL, or `file:` and a path' })

  runtime = Option.String('--runtime', {
    description: '`package` (default), or `own`: its files are in the project, to be edited',
  })

  policies = Option.String('--policies', {
    description: 'What policies open at first: `nobody` (default) or `public-read`',
  })

  override async execute(): Promise<number> {
    if (this.from === undefined)
      throw new UsageError('Name the database: svc init <dir> --from <url>')
    const policies = policiesOption(this.policies)
    const { initProject } = await import('./existing/init-project.js')
    const { lines, exitCode } = await initProject({
      cwd: this.context.cwd,
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
    `Nobody signs in yet, so --policies is nobody or public-read here. Once people do, newPolicies: '${named}' in manifest/index.ts opens the policies that nobody edited.`,
  )
}

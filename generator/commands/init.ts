import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from './command.js'

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

  override async execute(): Promise<number> {
    if (this.from === undefined)
      throw new UsageError('Name the database: svc init <dir> --from <url>')
    const { initProject } = await import('./existing/init-project.js')
    const { lines, exitCode } = await initProject({
      cwd: this.context.cwd,
      folder: this.folder ?? '.',
      from: this.from,
      isColored: this.isColored,
    })
    this.say(...lines)
    return exitCode
  }
}

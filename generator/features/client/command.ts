import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

export class ClientCommand extends SvcCommand {
  static override paths = [['client'], ['svc:client']]

  static override usage = Command.Usage({
    description: 'write a typed client of the API',
    details: `
      One module of plain functions for each repository, in a folder of your web application, say: no dependency, for browsers
      and Node. Files there that svc wrote are overwritten each time, and removed with their repository; any other
      file stays. \`svc generate\` keeps it in step when the manifest says \`client: '../web/src/api'\`.
    `,
    examples: [
      ['Into the web application beside the server', 'svc client ../web/src/api'],
      [
        'With options for TanStack Query, and rules for forms',
        'svc client ../web/src/api --query tanstack --zod',
      ],
    ],
  })

  folder = Option.String({ name: 'dir' })
  query = Option.String('--query', {
    description: 'Add `<key>.queries.ts`: options for @tanstack/react-query',
  })
  zod = Option.Boolean('--zod', false, {
    description: 'Add `<key>.rules.ts`: the rules of the server, for forms; they need zod 4',
  })

  override async execute(): Promise<number> {
    if (this.query !== undefined && this.query !== 'tanstack') {
      throw new UsageError('--query is tanstack.')
    }
    const { writeClient } = await import('./commands/write-client.js')
    const { lines, exitCode } = await writeClient(this.context.cwd, {
      folder: this.folder,
      hasQueries: this.query !== undefined,
      zod: this.zod,
      isColored: this.isColored,
    })
    this.say(...lines)
    return exitCode
  }
}

import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

export class ClientCommand extends SvcCommand {
  static override paths = [['client'], ['svc:client']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Write a typed client of the API',
    details: `
      Writes one module of plain functions for each repository into the folder that you name, of a web application for
      example. The client runs in browsers and in Node, and has no dependency. svc overwrites its own files there each time,
      removes those of a deleted repository, and leaves all others alone. With \`client: '../web/src/api'\` in the manifest,
      \`svc generate\` keeps the client up to date.
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
    description: 'Add options for @tanstack/react-query: `<key>.queries.ts`',
  })
  zod = Option.Boolean('--zod', false, {
    description: 'Add the rules of the server, for forms: `<key>.rules.ts`, which needs zod 4',
  })

  override async execute(): Promise<number> {
    if (this.query !== undefined && this.query !== 'tanstack') {
      throw new UsageError('--query takes one value: tanstack.')
    }
    const { writeClient } = await import('./commands/write-client.js')
    const features = await this.context.features()
    const { lines, exitCode } = await writeClient(this.context.cwd, features, {
      folder: this.folder,
      hasQueries: this.query !== undefined,
      zod: this.zod,
      isColored: this.isColored,
    })
    this.say(...lines)
    return exitCode
  }
}

import { Command } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DevCommand extends SvcCommand {
  static override paths = [['dev'], ['svc:dev']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Generate, migrate, serve, and repeat whenever you save',
    details: `
      Watches \`manifest/\`, \`config/\`, \`app/\`, \`routes/\` and the Prisma schema. The old server answers until the new one
      does. While a migration renames or drops something that the old server reads, requests wait. Then svc lists lines of
      your code that no longer compile.

      If the manifest has problems, a file does not parse, or there is a conflict, the server keeps running, and svc says
      what to do. If you delete a repository, svc removes its files that you have not edited, and its rows only if you say
      yes.

      The server listens on \`HOST\` and \`PORT\`. Ctrl-C ends it.
    `,
  })

  override async execute(): Promise<number> {
    const { develop } = await import('./develop.js')
    const { askLosses } = await import('../database/ask-losses.js')
    return develop({
      root: this.context.cwd,
      features: await this.context.features(),
      say: (...lines) => this.say(...lines),
      report: (error) => this.report(error),
      isColored: this.isColored,
      askLosses: this.isOnTerminal ? askLosses : undefined,
    })
  }
}

import { Command } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DevCommand extends SvcCommand {
  static override paths = [['dev'], ['svc:dev']]

  static override usage = Command.Usage({
    description: 'generate, migrate, serve, and start again on every change',
    details: `
      Watches \`manifest/\`, \`config/\`, \`app/\`, \`routes/\` and the Prisma schema. A manifest with problems, code that cannot
      be read, or a conflict leaves the running server alone and says what to do. Files of a repository that is gone are removed where
      nobody edited them, and rows only where you say yes. The old server answers until
      the new one does, and requests wait where a migration renames or drops what it reads; then lines of yours that no longer
      compile are named. \`HOST\` and \`PORT\` are respected. Ctrl-C ends it.
    `,
  })

  override async execute(): Promise<number> {
    const { develop } = await import('./develop.js')
    const { askLosses } = await import('../database/ask-losses.js')
    return develop({
      root: this.context.cwd,
      say: (...lines) => this.say(...lines),
      report: (error) => this.report(error),
      isColored: this.isColored,
      askLosses: this.isOnTerminal ? askLosses : undefined,
    })
  }
}

import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DiffCommand extends SvcCommand {
  static override paths = [['diff'], ['svc:diff']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Show what the next `svc generate` would change',
    details: `
      Without an option, the diff leads from your project to what \`svc generate\` would make of it. The command writes
      nothing and exits with 0.
    `,
    examples: [
      ["Show your edits in svc's files", 'svc diff --mine'],
      ['Compare your files with what svc would write today', 'svc diff --upstream'],
    ],
  })

  mine = Option.Boolean('--mine', false, { description: "Show your edits in svc's files" })
  upstream = Option.Boolean('--upstream', false, {
    description: 'Compare your files with what svc would write today',
  })
  files = Option.Rest({ name: 'path' })

  override async execute(): Promise<number> {
    if (this.mine && this.upstream) throw new UsageError('Use --mine or --upstream, not both.')
    const { diffProject } = await import('./diff-project.js')
    const side = this.mine ? 'mine' : this.upstream ? 'upstream' : 'next'
    const { isColored } = this
    const options = { side, isColored, paths: this.files } as const
    const features = await this.context.features()
    const { lines, exitCode } = await diffProject(this.context.cwd, features, options)
    this.say(...lines)
    return exitCode
  }
}

import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DiffCommand extends SvcCommand {
  static override paths = [['diff'], ['svc:diff']]

  static override usage = Command.Usage({
    description: 'what the next `svc generate` would change, line by line',
    details: `
      Without options: from your project to what it would be. Writes nothing; exits with 0.
    `,
    examples: [
      ['What you changed in files of svc', 'svc diff --mine'],
      ['What svc would write today, compared with your files', 'svc diff --upstream'],
    ],
  })

  mine = Option.Boolean('--mine', false, { description: "Your edits in svc's files" })
  upstream = Option.Boolean('--upstream', false, {
    description: "Your files against svc's text of today",
  })
  files = Option.Rest({ name: 'path' })

  override async execute(): Promise<number> {
    if (this.mine && this.upstream) throw new UsageError('Ask for --mine or --upstream, not both.')
    const { diffProject } = await import('./diff-project.js')
    const side = this.mine ? 'mine' : this.upstream ? 'upstream' : 'next'
    const { isColored } = this
    const options = { side, isColored, paths: this.files } as const
    const { lines, exitCode } = await diffProject(this.context.cwd, options)
    this.say(...lines)
    return exitCode
  }
}

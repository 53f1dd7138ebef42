import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DescribeCommand extends SvcCommand {
  static override paths = [['describe'], ['svc:describe']]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'Show the checked manifest: names, columns, relations, rules',
    details: `
      Shows every name, the other side of every relation, and every default as svc resolved them. \`--json\` prints all of it
      for tools, without settings and without any rows.
    `,
    examples: [['Show one repository', 'svc describe posts']],
  })

  repository = Option.String({ required: false })

  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { describeManifest } = await import('./describe-manifest.js')
    const features = await this.context.features()
    const { lines, json, exitCode } = await describeManifest(
      this.context.cwd,
      features,
      this.repository,
    )
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

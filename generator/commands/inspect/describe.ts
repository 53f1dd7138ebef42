import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

export class DescribeCommand extends SvcCommand {
  static override paths = [['describe'], ['svc:describe']]

  static override usage = Command.Usage({
    description:
      'what the manifest means once it is checked: every name, column, relation and rule',
    details: `
      Every name is decided, every other side of a relation found, every default resolved. \`--json\` is the whole of it, for
      tools: no settings, and nothing of the rows.
    `,
    examples: [['One repository', 'svc describe posts']],
  })

  repository = Option.String({ required: false })

  json = Option.Boolean('--json', false, { description: 'As JSON' })

  override async execute(): Promise<number> {
    const { describeManifest } = await import('./describe-manifest.js')
    const { lines, json, exitCode } = await describeManifest(this.context.cwd, this.repository)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

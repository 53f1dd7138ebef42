import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from './command.js'

/** What each tag brings into the project. */
const tags: Readonly<Record<string, readonly string[]>> = {
  'svc-config': ['config/svc.ts'],
  'svc-graphql-config': ['config/svc-graphql.ts'],
}

export class PublishCommand extends SvcCommand {
  static override paths = [['publish'], ['svc:publish']]

  static override usage = Command.Usage({
    description: 'put a config file into the project, if it is not there',
    details:
      'New projects have all of them; this brings one back. Your own values stay, unless you say `--force`.',
    examples: [['The GraphQL config', 'svc publish --tag=svc-graphql-config']],
  })

  tag = Option.String('--tag', { required: true, description: Object.keys(tags).join(', ') })
  force = Option.Boolean('--force', false, { description: 'Replace the file that is there' })

  override async execute(): Promise<number> {
    const paths = Object.hasOwn(tags, this.tag) ? tags[this.tag] : undefined
    if (paths === undefined) {
      throw new UsageError(`--tag is one of: ${Object.keys(tags).join(', ')}.`)
    }
    const { publish } = await import('./publish-project.js')
    const { lines, exitCode } = await publish(this.context.cwd, paths, this.force)
    this.say(...lines)
    return exitCode
  }
}

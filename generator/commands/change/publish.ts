import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../command.js'
import type { CommandLine } from '../context.js'

const config = { title: 'The config', paths: ['config/svc.ts'] }

/** The tags of features are among its examples. */
export function publishCommand(ofFeatures: CommandLine['tags']) {
  const tags: CommandLine['tags'] = { 'svc-config': config, ...ofFeatures }
  const known = Object.keys(tags).join(', ')
  return class PublishCommand extends SvcCommand {
    static override paths = [['publish'], ['svc:publish']]

    static override usage = Command.Usage({
      category: 'Change',
      description: 'Bring back a config file',
      details:
        'New projects have all config files. If yours is missing, svc writes it again. If it is there, svc changes nothing without `--force`.',
      examples: Object.entries(ofFeatures).map(([tag, { title }]) => [
        title,
        `svc publish --tag=${tag}`,
      ]),
    })

    tag = Option.String('--tag', { required: true, description: known })
    force = Option.Boolean('--force', false, { description: 'Replace the existing file' })

    override async execute(): Promise<number> {
      const paths = Object.hasOwn(tags, this.tag) ? tags[this.tag]?.paths : undefined
      if (paths === undefined) throw new UsageError(`--tag is one of: ${known}.`)
      const { publish } = await import('./publish-project.js')
      const features = await this.context.features()
      const { lines, exitCode } = await publish(this.context.cwd, features, paths, this.force)
      this.say(...lines)
      return exitCode
    }
  }
}

export class PublishRuntimeCommand extends SvcCommand {
  static override paths = [['publish', 'runtime']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Copy the runtime into the project, for you to edit',
    details: `
      Copies those files of \`svckit-runtime\` that the project imports, directly or through others, into \`runtime/\`. From
      then on \`#runtime/…\` leads there. \`svc generate\` merges your edits with what a newer svc brings. Nothing else
      changes, and \`svc undo\` takes it back.

      \`--undo\` imports the package again. If you have edited files in \`runtime/\`, svc lists them and changes nothing.
    `,
    examples: [
      ['Copy the files', 'svc publish runtime'],
      ['Import the package again', 'svc publish runtime --undo'],
    ],
  })

  undo = Option.Boolean('--undo', false, { description: 'Import the package again' })

  override async execute(): Promise<number> {
    const { moveRuntime } = await import('./move-runtime.js')
    const form = this.undo ? 'package' : 'own'
    const features = await this.context.features()
    const { lines, exitCode } = await moveRuntime(this.context.cwd, features, form, this.isColored)
    this.say(...lines)
    return exitCode
  }
}

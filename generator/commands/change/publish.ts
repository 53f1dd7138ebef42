import { Command, Option, UsageError } from 'clipanion'
import { featureTags, type Published } from '../../features/commands.js'
import { SvcCommand } from '../command.js'

/** What each tag brings into the project. */
const tags: Readonly<Record<string, Pick<Published, 'paths'>>> = {
  'svc-config': { paths: ['config/svc.ts'] },
  ...featureTags,
}

export class PublishCommand extends SvcCommand {
  static override paths = [['publish'], ['svc:publish']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Bring back a config file',
    details:
      'New projects have all config files. If yours is missing, svc writes it again. If it is there, svc changes nothing without `--force`.',
    examples: Object.entries(featureTags).map(([tag, { title }]) => [
      title,
      `svc publish --tag=${tag}`,
    ]),
  })

  tag = Option.String('--tag', { required: true, description: Object.keys(tags).join(', ') })
  force = Option.Boolean('--force', false, { description: 'Replace the existing file' })

  override async execute(): Promise<number> {
    const paths = Object.hasOwn(tags, this.tag) ? tags[this.tag]?.paths : undefined
    if (paths === undefined) {
      throw new UsageError(`--tag is one of: ${Object.keys(tags).join(', ')}.`)
    }
    const { publish } = await import('./publish-project.js')
    const { lines, exitCode } = await publish(this.context.cwd, paths, this.force)
    this.say(...lines)
    return exitCode
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
    const { lines, exitCode } = await moveRuntime(this.context.cwd, form, this.isColored)
    this.say(...lines)
    return exitCode
  }
}

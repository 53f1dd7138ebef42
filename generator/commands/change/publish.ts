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
    description: 'put a config file into the project, if it is not there',
    details:
      'New projects have all of them; this brings one back. Your own values stay, unless you say `--force`.',
    examples: Object.entries(featureTags).map(([tag, { title }]) => [
      title,
      `svc publish --tag=${tag}`,
    ]),
  })

  tag = Option.String('--tag', { required: true, description: Object.keys(tags).join(', ') })
  force = Option.Boolean('--force', false, { description: 'Replace the file that is there' })

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
    description: 'put the files of svckit-runtime into the project, to be edited',
    details: `
      Copies what the project imports of the package, and what that imports, into \`runtime/\`; \`#runtime/…\` leads there from
      then on. \`svc generate\` merges your edits with what a newer svc brings. Nothing else changes, and \`svc undo\` takes it
      back.

      \`--undo\` imports the package again. It names what you edited in \`runtime/\`, and changes nothing while there is any.
    `,
    examples: [
      ['Have the files here', 'svc publish runtime'],
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

import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

export class EjectCommand extends SvcCommand {
  static override paths = [['eject'], ['svc:eject']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Take over a generated file, so that svc never changes it',
    details: `
      The file stays as it is and becomes yours. If svc would write it differently later, \`svc generate\` shows those lines
      once. If the file is yours already, the command dismisses what svc would write differently now.
    `,
    examples: [['Take over the server', 'svc eject app/server.ts']],
  })

  file = Option.String()

  override async execute(): Promise<number> {
    return handOver(this, 'eject', this.file)
  }
}

export class AdoptCommand extends SvcCommand {
  static override paths = [['adopt'], ['svc:adopt']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Give an ejected file back to svc, or restore a deleted one',
    details:
      'svc merges what it would write today into your file. If you and svc changed the same lines, it writes nothing.',
    examples: [['Give it back', 'svc adopt app/server.ts']],
  })

  file = Option.String()

  override async execute(): Promise<number> {
    return handOver(this, 'adopt', this.file)
  }
}

async function handOver(
  command: EjectCommand | AdoptCommand,
  kind: 'eject' | 'adopt',
  file: string,
): Promise<number> {
  const { cwd, stdout } = command.context
  const { generate } = await import('./generate-project.js')
  const { reportGenerated } = await import('../report/report.js')
  const path = file.replaceAll('\\', '/').replace(/^\.\//, '')
  const features = await command.context.features()
  const options = { features, conflicts: 'stop', force: false, isWriting: true } as const
  const outcome = await generate(cwd, { ...options, handover: { kind, path } })
  const report = reportGenerated(outcome, { isChecking: false, isWriting: true, isColored: false })
  stdout.write(`${report.lines.join('\n')}\n`)
  if (report.exitCode === 0)
    stdout.write(`${path} is ${kind === 'eject' ? 'yours' : "svc's again"}.\n`)
  return report.exitCode
}

import { Command, Option, UsageError } from 'clipanion'
import { SvcCommand } from '../command.js'
import type { Features } from '../context.js'
import type { Outcome } from './generate-options.js'

const resolutions = ['markers', 'ours', 'theirs'] as const

export class GenerateCommand extends SvcCommand {
  static override paths = [['generate'], ['svc:generate']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Write the server that the manifest describes',
    details: `
      Reads \`manifest/\` and \`config/svc.ts\` and brings the project up to date. svc keeps or merges your edits. If you and
      svc changed the same lines, it changes no file, and puts its own text beside yours as \`<file>.svc-new\`.
      \`svc undo\` takes back the last run.
    `,
    examples: [
      ['Bring the project up to date', 'svc generate'],
      ['See what would change', 'svc generate --dry-run'],
      ['In CI: exit with 2 if something is not generated yet', 'svc generate --check'],
      ['After a conflict that you merged by hand', 'svc generate --conflicts=ours'],
    ],
  })

  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Show what would change, and write nothing',
  })
  check = Option.Boolean('--check', false, {
    description: 'Write nothing; exit with 2 if something is pending, 3 on a conflict',
  })
  json = Option.Boolean('--json', false, { description: 'Print the report as JSON' })
  client = Option.Boolean('--client', false, {
    description:
      "Generate Prisma's client now, and not when `npm run seed`, `test` or `typecheck` needs it",
  })
  force = Option.Boolean('--force', false, {
    description: "Replace svc's files that you edited or deleted; your own files stay",
  })
  watch = Option.Boolean('--watch', false, {
    description: 'Run again after each change of the manifest; never removes a file',
  })
  conflicts = Option.String('--conflicts', {
    description:
      'For lines that you and svc changed: `markers` keeps both, `ours` yours, `theirs` those of svc',
  })
  noCompile = Option.Boolean('--no-compile', false, {
    description: 'Do not check whether your own code still compiles',
  })
  fill = Option.Array('--fill', [], {
    description: 'The value of existing rows in a column that became required: posts.slug=none',
  })

  override async execute(): Promise<number> {
    const conflicts = resolution(this.conflicts)
    if (this.watch) return this.follow()
    const { generate } = await import('./generate-project.js')
    const { showProgress } = await import('../report/progress.js')
    const progress = showProgress(this.context.stderr)
    const features = await this.context.features()
    const options = {
      features,
      onStep: progress.step,
      isCompiling: !this.noCompile,
      wantsClient: this.client,
      conflicts,
      force: this.force,
      isWriting: !this.dryRun && !this.check,
      isRehearsal: this.dryRun || this.check,
    }
    const first = await generate(this.context.cwd, { ...options, fills: this.fill }).finally(
      progress.end,
    )
    const outcome = this.isOnTerminal ? await this.filled(first, features) : first
    const { reportFinished, reportGenerated } = await import('../report/report.js')
    const { finish } = await import('./rest.js')
    const report = reportGenerated(outcome, {
      isChecking: this.check,
      isWriting: !this.dryRun && !this.check,
      isColored: this.isColored,
    })
    if (!this.json) this.say(...report.lines)
    // Nobody waits for what takes longest: the answer is there.
    const finished = await finish(outcome).finally(progress.end)
    const { jsonReport } = await import('../report/json-report.js')
    const last = reportFinished(finished)
    if (this.json) this.say(JSON.stringify(jsonReport(outcome, finished), null, 2))
    if (!this.json) this.say(...last.lines)
    return last.exitCode === 0 ? report.exitCode : last.exitCode
  }

  /** Asks for what rows of the database here lack, where a column became required. */
  private async filled(outcome: Outcome, features: Features): Promise<Outcome> {
    if (outcome.kind === 'problems' || !outcome.isWritten) return outcome
    if (outcome.prepared.asking.length === 0) return outcome
    const { fillAfter } = await import('../database/ask-fills.js')
    await fillAfter(this.context.cwd, features, outcome.prepared.asking)
    return outcome
  }

  private async follow(): Promise<number> {
    const isDeciding = this.dryRun || this.check || this.json || this.force || this.client
    if (isDeciding || this.conflicts !== undefined) {
      throw new UsageError(
        '--watch cannot be combined with other options: it only does what needs no decision.',
      )
    }
    const { followManifest } = await import('./follow-manifest.js')
    const say = (...lines: readonly string[]) => this.say(...lines)
    const report = (error: unknown) => this.report(error)
    const { cwd: root } = this.context
    const features = await this.context.features()
    return followManifest({ root, features, say, report, isColored: this.isColored })
  }
}

function resolution(text: string | undefined): (typeof resolutions)[number] | 'stop' {
  if (text === undefined) return 'stop'
  const found = resolutions.find((name) => name === text)
  if (found === undefined) throw new UsageError(`--conflicts is one of: ${resolutions.join(', ')}.`)
  return found
}

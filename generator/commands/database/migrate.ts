import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

const fillOption =
  'What rows that are there get in a column that became required, or that their value does not fit: posts.slug=none'

export class MigrateCommand extends SvcCommand {
  static override paths = [['migrate'], ['svc:migrate']]

  static override usage = Command.Usage({
    description: "bring the development database up to the project's migrations and draft",
    details: `
      Applies what is saved, then the draft, also to a database that has an earlier one. Refuses to drop data without
      \`--accept-data-loss\`, and stops at values that a changed field has no room for, until \`--fill\` says what rows get or data
      loss is accepted: then they are cut, or emptied. The next run counts and asks again.
    `,
  })

  acceptDataLoss = Option.Boolean('--accept-data-loss', false, {
    description: 'In this run, drop columns and rows; cut values that do not fit',
  })

  fill = Option.Array('--fill', [], { description: fillOption })

  override async execute(): Promise<number> {
    const { migrateHere } = await import('./migrate-project.js')
    const { askFills } = await import('./ask-fills.js')
    const say = (...lines: readonly string[]) => this.say(...lines)
    const tell = (text: string) => void this.context.stderr.write(text)
    const { acceptDataLoss, fill: fills } = this
    const isDone = await migrateHere({
      root: this.context.cwd,
      say,
      tell,
      acceptDataLoss,
      fills,
      askFills: this.isOnTerminal ? askFills : undefined,
    })
    return isDone ? 0 : 1
  }
}

export class MigrateSaveCommand extends SvcCommand {
  static override paths = [['migrate', 'save']]

  static override usage = Command.Usage({
    description: 'date the draft migration, so that it is applied everywhere',
    details: `
      Shows the SQL, says in words what it would drop, and how many rows of the database here that is. Refuses to save what
      drops data without \`--accept-data-loss\`; a \`renamedFrom\` in the manifest turns a drop and an add into a
      rename that keeps every row. A saved migration is not touched again.
    `,
    examples: [['Save it', 'svc migrate save add_subtitle']],
  })

  name = Option.String()
  acceptDataLoss = Option.Boolean('--accept-data-loss', false, {
    description: 'Save a migration that drops columns or tables, or cuts values',
  })

  fill = Option.Array('--fill', [], { description: fillOption })

  override async execute(): Promise<number> {
    const { saveMigration } = await import('./save-migration.js')
    const { askFills } = await import('./ask-fills.js')
    const { name, acceptDataLoss, fill: fills } = this
    return saveMigration({
      root: this.context.cwd,
      name,
      acceptDataLoss,
      fills,
      askFills: this.isOnTerminal ? askFills : undefined,
      say: (...lines) => this.say(...lines),
    })
  }
}

export class MigrateDeployCommand extends SvcCommand {
  static override paths = [['migrate', 'deploy']]

  static override usage = Command.Usage({
    description: 'apply the saved migrations that are pending, and never the draft',
    details: `
      What the server does at its start, and \`npm run migrate\`, which needs no svc. What is dropped was reviewed; rows to
      be cut, emptied or deleted stop it.
    `,
  })

  acceptDataLoss = Option.Boolean('--accept-data-loss', false, {
    description: 'In this run, cut, empty or delete them',
  })

  override async execute(): Promise<number> {
    const { deployHere } = await import('./migrate-project.js')
    const say = (...lines: readonly string[]) => this.say(...lines)
    const tell = (text: string) => void this.context.stderr.write(text)
    const { acceptDataLoss } = this
    return (await deployHere({ root: this.context.cwd, say, tell, acceptDataLoss })) ? 0 : 1
  }
}

export class MigrateStatusCommand extends SvcCommand {
  static override paths = [['migrate', 'status']]

  static override usage = Command.Usage({
    description: 'what is applied, what is pending, and what contradicts the folder',
    details: `
      Names migrations that were changed after they were applied, that are missing in the folder, or that failed half way,
      each with the way out; then it exits with 1.
    `,
  })

  json = Option.Boolean('--json', false, { description: 'As JSON' })

  override async execute(): Promise<number> {
    const { migrationStatus } = await import('./migration-status.js')
    const { lines, json, exitCode } = await migrationStatus(this.context.cwd)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

const fillOption =
  'The value of existing rows in a column that became required, or that their value does not fit: posts.slug=none'

export class MigrateCommand extends SvcCommand {
  static override paths = [['migrate'], ['svc:migrate']]

  static override usage = Command.Usage({
    category: 'Database',
    description: 'Apply saved migrations and the draft to the development database',
    details: `
      Applies the saved migrations and then the draft, even if the database has an earlier version of the draft. svc refuses
      to drop data without \`--accept-data-loss\`. It also stops if existing values do not fit a changed field: give those
      rows a value with \`--fill\`, or accept that svc cuts or empties them. The next run counts and asks again.
    `,
  })

  acceptDataLoss = Option.Boolean('--accept-data-loss', false, {
    description: 'In this run: drop columns and rows, cut values that do not fit',
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
      features: await this.context.features(),
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
    category: 'Database',
    description: 'Turn the draft into a dated migration for every database',
    details: `
      Shows the SQL, what it drops, and how many rows of this database that concerns. svc refuses to save a migration that
      drops data without \`--accept-data-loss\`. With \`renamedFrom\` in the manifest, a drop and an add become a rename that
      keeps every row. svc never changes a saved migration.
    `,
    examples: [['Save the draft', 'svc migrate save add_subtitle']],
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
      features: await this.context.features(),
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
    category: 'Database',
    description: 'Apply saved migrations, and never the draft',
    details: `
      The server does the same when it starts, and so does \`npm run migrate\`, which needs no svc. A saved migration may
      drop columns and tables, because you reviewed it. If it would cut, empty or delete values of existing rows, svc stops.
    `,
  })

  acceptDataLoss = Option.Boolean('--accept-data-loss', false, {
    description: 'In this run: cut, empty or delete them',
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
    category: 'Database',
    description: 'Show applied and pending migrations, and drift',
    details: `
      Exits with 1 if a migration was changed after it was applied, is missing in the folder, or failed half way. For each,
      svc says how to repair it.
    `,
  })

  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { migrationStatus } = await import('./migration-status.js')
    const { lines, json, exitCode } = await migrationStatus(this.context.cwd)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

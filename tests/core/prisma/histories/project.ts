/** A project on disk and its database, brought from one manifest to the next by what the commands call. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Blueprint, Problem } from '../../../../generator/blueprint/types.js'
import { stepTo, type Answers } from '../../../../generator/commands/database/draft-step.js'
import {
  applyMove,
  bringUp,
  costsOf,
} from '../../../../generator/commands/database/drafts/draft.js'
import { statusOf } from '../../../../generator/commands/database/drafts/status.js'
import { isAcceptable } from '../../../../generator/commands/database/ways-through.js'
import { isWordTable } from '../../../../generator/features/full-text/word-tables.js'
import { features } from '../../../../generator/features/index.js'
import { buildSql } from '../../../../generator/migrations/diff/engine.js'
import { keepersOf } from '../../../../generator/migrations/keepers/kept.js'
import { planSave } from '../../../../generator/migrations/migrations.js'
import { prismaSchema } from '../../../../generator/migrations/schema/schema.js'
import {
  readMigration,
  readMigrationState,
} from '../../../../generator/write/migrations/migration-state.js'
import { planMigrationFiles } from '../../../../generator/write/migrations/plan-migrations.js'
import { IdleFill } from '../../../../generator/write/refusal.js'
import { targetAt } from '../../../../generator/write/target.js'
import * as accepted from '../../../../runtime/database/migrations/accepted-loss.js'
import * as folders from '../../../../runtime/database/migrations/folder.js'
import * as history from '../../../../runtime/database/migrations/history.js'
import * as migrations from '../../../../runtime/database/migrations/migrate.js'
import { migrating } from '../../../support/with-features.js'
import { openDatabase, type Name, type Opened } from '../../runtime/databases.js'
import { catalogueOf, type Catalogue, type Query } from './catalogue.js'
import { outcomeOf, type Outcome } from './outcome.js'

const path = 'prisma/schema/svc.prisma'
const plain = { acceptDataLoss: false, fills: [] } as const
const { migrate } = migrations

export class HistoryProject {
  private constructor(
    readonly name: Name,
    private readonly opened: Opened,
    private readonly spare: Opened,
    private readonly elsewhere: Opened,
  ) {}

  static async open(name: Name): Promise<HistoryProject> {
    const open = () => openDatabase(name)
    return new HistoryProject(name, await open(), await open(), await open())
  }

  async close(): Promise<void> {
    await this.opened.close()
    await this.spare.close()
    await this.elsewhere.close()
  }

  private get target() {
    return targetAt(this.opened.folder)
  }

  private get project() {
    const folder = join(this.opened.folder, 'prisma/migrations')
    return {
      folder,
      database: this.opened.database,
      runtime: { ...migrations, ...accepted, ...history, ...folders },
      derivedTables: [isWordTable],
    }
  }

  get draft(): string | null {
    return readMigrationState(this.target).draft
  }

  get saved(): readonly string[] {
    return readMigrationState(this.target).saved
  }

  get query(): Query {
    return queryOf(this.opened)
  }

  get spareQuery(): Query {
    return queryOf(this.spare)
  }

  get elsewhereQuery(): Query {
    return queryOf(this.elsewhere)
  }

  /** `svc generate` */
  async generate(blueprint: Blueprint, answers: Partial<Answers> = {}): Promise<void> {
    const problems = await this.tryGenerate(blueprint, answers)
    if (problems.length > 0) throw new Error(JSON.stringify(problems))
  }

  /** Generates, or returns what it refuses. */
  async tryGenerate(
    blueprint: Blueprint,
    answers: Partial<Answers> = {},
  ): Promise<readonly Problem[]> {
    await this.write(path, prismaSchema(blueprint))
    const { files, problems } = await planMigrationFiles(this.target, blueprint, [], {
      ...answers,
      keepers: keepersOf(features),
    })
    if (problems.length > 0) return problems
    for (const file of files) await this.write(file.path, file.content)
    return []
  }

  /** Returns true if another run would write nothing. */
  async isSettled(blueprint: Blueprint): Promise<boolean> {
    return (
      (await planMigrationFiles(this.target, blueprint, [], { keepers: keepersOf(features) })).files
        .length === 0
    )
  }

  private async write(file: string, content: string | null): Promise<void> {
    const at = join(this.opened.folder, file)
    await mkdir(dirname(at), { recursive: true })
    await (content === null ? rm(at, { force: true }) : writeFile(at, content))
  }

  /** Fills of the draft; answers those that it does not ask for. */
  async answer(blueprint: Blueprint, { fills }: Answers): Promise<readonly string[]> {
    const idle: string[] = []
    for (const fill of fills) {
      try {
        await this.generate(blueprint, { fills: [fill] })
      } catch (error) {
        if (!(error instanceof IdleFill)) throw error
        idle.push(fill)
      }
    }
    return idle
  }

  /** `svc migrate` */
  migrate(
    blueprint: Blueprint,
    { acceptDataLoss, ...answers }: Answers & { readonly acceptDataLoss: boolean } = plain,
  ): Promise<Outcome> {
    return outcomeOf(async () => {
      const first = await bringUp(this.project, { acceptDataLoss, log: () => {} })
      if (first.kind !== 'moved') return first
      const has = await statusOf(this.project)
      const options = { root: this.opened.folder, features, acceptDataLoss }
      const { move } = await stepTo(options, has, blueprint, answers)
      return applyMove(this.project, move)
    })
  }

  async hasDraft(): Promise<boolean> {
    return (await statusOf(this.project)).draft !== null
  }

  /** Returns the questions of `svc migrate save` before it dates the draft. */
  tryDraft(acceptDataLoss: boolean): Promise<Outcome> {
    return outcomeOf(async () => {
      const costs = await costsOf(this.project, this.draft ?? '')
      const isAccepted = costs.kind === 'stops' && acceptDataLoss && isAcceptable(costs.misfits)
      const isStopped = costs.kind === 'stops' && !isAccepted
      // `svc migrate save` finds the losses behind those rows as well.
      const behind = isAccepted ? await costsOf(this.project, this.draft ?? '', true) : costs
      if (isAccepted && behind.kind === 'stops') return behind
      const isRefused = costs.losses.length > 0 && !acceptDataLoss
      return { ...costs, kind: isStopped ? 'stops' : isRefused ? 'loses' : 'done' }
    })
  }

  /** `svc migrate save` */
  async save(): Promise<void> {
    const { files } = planSave(readMigrationState(this.target), 'step', new Date())
    for (const { path: file, content } of files) await this.write(file, content)
  }

  catalogue = (): Promise<Catalogue> => catalogueOf(this.name, this.query)
  elsewhereCatalogue = (): Promise<Catalogue> => catalogueOf(this.name, this.elsewhereQuery)

  /** Deploys the saved migrations to a database that never takes a draft; null, or why not. */
  async deploy(acceptDataLoss: boolean): Promise<string | null> {
    const { kind, why } = await outcomeOf(async () => {
      await migrate(this.elsewhere.database, { folder: this.project.folder, acceptDataLoss })
      return { kind: 'done', losses: [], misfits: [] }
    })
    return kind === 'done' ? null : why
  }

  /** The migration that was saved last. */
  get lastSaved(): string {
    return readMigration(this.target, this.saved.at(-1) ?? '')
  }

  /** The catalogue of a database that is made at once. */
  async freshCatalogue(blueprint: Blueprint): Promise<Catalogue> {
    await this.clearSpare()
    const sql = await buildSql(migrating('sqlite'), [{ path, content: prismaSchema(blueprint) }])
    await this.spare.database.migrating((session) => session.run(sql))
    return catalogueOf(this.name, this.spareQuery)
  }

  /**
   * Returns the catalogue after all saved migrations, one after the other; rows can then be written
   * there.
   */
  async replayedCatalogue(): Promise<Catalogue> {
    await this.clearSpare()
    await migrate(this.spare.database, { folder: this.project.folder })
    return catalogueOf(this.name, this.spareQuery)
  }

  private async clearSpare(): Promise<void> {
    if (this.name === 'postgresql') {
      await this.spareQuery('DROP SCHEMA public CASCADE')
      await this.spareQuery('CREATE SCHEMA public')
      return
    }
    await this.spare.database.migrating(async (session) => {
      const tables = await session.query(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'`,
      )
      // A virtual table's own tables are dropped with it.
      for (const [table] of tables) await session.query(`DROP TABLE IF EXISTS "${String(table)}"`)
    })
  }
}

let asked = 0

/** A statement that was prepared knows tables as they were, so each is another one. */
const queryOf =
  ({ database }: Opened): Query =>
  (sql) =>
    database.query({ sql: `${sql} /* ${++asked} */`, access: 'write' }, [])

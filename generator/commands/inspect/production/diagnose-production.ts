import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Blueprint, Entity } from '../../../blueprint/types.js'
import { kindOf } from '../../../kinds/kinds.js'
import { tablesOf } from '../../../migrations/schema/tables.js'
import type { Advice } from '../../../plan/advice/advice.js'
import { readMigrationState } from '../../../write/migrations/migration-state.js'
import { at, type Target } from '../../../write/target.js'
import type { Features } from '../../context.js'
import { DatabaseRefusal, withDatabase } from '../../database/project-database.js'
import { missingIndexes } from './missing-indexes.js'
import { settingsAdvice, type Found } from './settings.js'
import { listsAsked } from './slow-lists.js'
import type { TableFacts } from './table-facts.js'

export interface Production extends Found {
  readonly tables: readonly TableFacts[]
}

/** Lists the problems of the production settings and of their database. Writes nothing. */
export async function diagnoseProduction(
  target: Target,
  features: Features,
  blueprint: Blueprint,
): Promise<Production> {
  const config = target.files.read(at(target, 'config/svc.ts'))
  const settings = await settingsAdvice(blueprint, features, process.env, config)
  const texts = blueprint.entities.flatMap(unbounded)
  const database = await databaseAdvice(target, blueprint)
  return {
    wrong: [...settings.wrong, ...database.wrong],
    advice: [...settings.advice, ...texts, ...database.advice],
    tables: database.tables,
  }
}

/** Text of a kind that has room for much, and whose manifest does not say how much is meant. */
function unbounded({ key, source, columns }: Entity): readonly Advice[] {
  return columns
    .filter(({ role, readonly, max }) => role === 'field' && !readonly && max === undefined)
    .flatMap(({ name, kind }) => {
      const most = kindOf(kind).longest
      return most === null ? [] : [{ name, most: most.toLocaleString('en') }]
    })
    .map(({ name, most }) => ({
      rule: 'unbounded-text',
      at: source,
      message: `'${name}' of '${key}' may have ${most} characters: it has no .max()`,
      fix: 'add a .max(), with that number if you mean it',
    }))
}

async function databaseAdvice(target: Target, blueprint: Blueprint): Promise<Production> {
  const draft = draftAdvice(target)
  const missing = missingFile(target, blueprint)
  if (missing !== null) {
    // Other problems of the environment are found without the file, which opening would create.
    const elsewhere = { ...environment, DATABASE_URL: ':memory:' }
    const failures = await refusal(
      withDatabase(target.root, (ask) => ask('status', null), { environment: elsewhere }),
    )
    return { wrong: [missing, ...failures, ...draft], advice: [], tables: [] }
  }
  const planned = tablesOf(blueprint)
  const names = planned.map(({ name }) => name)
  const shown = blueprint.entities.map(({ table }) => table)
  const asked = withDatabase(
    target.root,
    async (ask) => {
      const status = await ask('status', null)
      const facts = await ask('tables', names)
      const lists = status.pending.length > 0 ? [] : listsAsked(blueprint, facts)
      const scans = await ask('plans', lists)
      const slow = lists.filter((_, at) => scans[at]).map((each) => each.advice)
      return [status, facts, slow] as const
    },
    { environment },
  )
  const failures = await refusal(asked)
  if (failures.length > 0) return { wrong: [...failures, ...draft], advice: [], tables: [] }
  const [status, facts, slow] = await asked
  const pending = [
    ...status.pending.map((name) => [name, 'is not applied', 'npm run migrate'] as const),
    ...status.drift.map(({ migration, text }) => [migration, text, 'svc migrate status'] as const),
  ].map(migrationAdvice)
  return {
    wrong: [...pending, ...draft, ...missingIndexes(blueprint, planned, facts)],
    advice: slow,
    tables: facts.filter(({ table }) => shown.includes(table)),
  }
}

const environment = { NODE_ENV: 'production' }

const draftAdvice = (target: Target): readonly Advice[] =>
  readMigrationState(target).draft === null
    ? []
    : [
        migrationAdvice([
          'draft.sql',
          'is not saved: no server starts',
          '`svc migrate save <name>`',
        ]),
      ]

const migrationAdvice = ([name, message, fix]: readonly [string, string, string]): Advice => ({
  rule: 'migration',
  at: `prisma/migrations/${name}`,
  message,
  fix,
})

/** Why the project does not get as far as an answer of its database; empty: it does. */
async function refusal(asked: Promise<unknown>): Promise<readonly Advice[]> {
  try {
    await asked
    return []
  } catch (error) {
    if (!(error instanceof DatabaseRefusal)) throw error
    const fix = 'run this with the environment of production'
    const message = error.message.replaceAll(/:\s*\n\s*/g, ': ').replaceAll(/\s*\n\s*/g, '; ')
    return [{ rule: 'environment', at: 'the environment', message, fix }]
  }
}

/** Opening a SQLite file makes it. */
function missingFile({ root }: Target, { database }: Blueprint): Advice | null {
  if (database !== 'sqlite') return null
  const url = process.env['DATABASE_URL'] || 'file:storage/database.sqlite'
  // The environment reports an address of another kind of database.
  if (url.includes(':memory:') || /^(?!file:)\w+:\/\//.test(url)) return null
  const [path = ''] = url.replace(/^file:(\/\/)?/, '').split('?')
  if (existsSync(resolve(root, path))) return null
  const fix = 'set DATABASE_URL to that of production'
  return { rule: 'database', at: 'DATABASE_URL', message: `${path} is not there`, fix }
}

import { join, relative, resolve } from 'node:path'
import { Refusal } from '../../../blueprint/refusal.js'
import { manifestPaths } from '../../../load/manifest-entries.js'
import { baselineHead, leftMarks } from '../../../migrations/diff/left-alone.js'
import { migrationPaths, planSave } from '../../../migrations/migrations.js'
import { besideManifest } from '../../../plan/existing/beside.js'
import type { Catalog } from '../../../plan/existing/catalog.js'
import { decide, type Decision } from '../../../plan/existing/decide.js'
import { manifestTexts } from '../../../plan/existing/manifest-texts.js'
import type { RuntimeForm } from '../../../write/base/lock-file.js'
import { readMigrationState } from '../../../write/migrations/migration-state.js'
import { readProjectFacts } from '../../../write/project/project-facts.js'
import { apply } from '../../../write/run/apply.js'
import { alone } from '../../../write/run/run-lock.js'
import { at, targetAt, type Target } from '../../../write/target.js'
import { firstPage } from '../../change/dev/pages.js'
import { generate } from '../../change/generate-project.js'
import { finish } from '../../change/rest.js'
import type { Features } from '../../context.js'
import { reportFinished, reportGenerated } from '../../report/report.js'
import { existingAt, readExisting, type Existing } from './open-existing.js'

export interface InitOptions {
  readonly features: Features
  readonly cwd: string
  readonly folder: string
  readonly from: string
  readonly runtime: RuntimeForm
  /** The access that policies give at first; null: none. */
  readonly policies: 'public-read' | null
  readonly isColored: boolean
}

/** A project on a database that is there: it is read, and nothing of it is changed. */
export async function initProject(
  options: InitOptions,
): Promise<{ readonly lines: readonly string[]; readonly exitCode: number }> {
  const { features } = options
  const root = resolve(options.cwd, options.folder)
  const target = targetAt(root)
  refuseManifest(target)
  const existing = existingAt(options.from, options.cwd)
  const catalog = await readExisting(existing, root)
  if (catalog.tables.length === 0) {
    throw new Refusal('The database has no tables.\n  fix    svc new, which starts with a manifest')
  }
  const decision = decide(catalog, features)
  const { repositories } = decision
  if (repositories.length === 0) {
    throw new Refusal(['svc cannot serve any of its tables.', ...leftLines(decision)].join('\n'))
  }
  await writeTexts(
    target,
    new Map([
      ...manifestTexts(features, repositories, catalog.database, options.policies),
      ...settings(target, existing),
    ]),
  )
  const { runtime } = options
  const how = {
    features,
    conflicts: 'stop',
    force: false,
    isWriting: true,
    wantsClient: true,
    runtime,
  } as const
  const outcome = await generate(root, how)
  const { isColored } = options
  const report = reportGenerated(outcome, { isChecking: false, isWriting: true, isColored })
  if (report.exitCode !== 0) return report
  const last = reportFinished(await finish(outcome))
  if (last.exitCode !== 0) return { ...last, lines: [...report.lines, ...last.lines] }
  await saveBaseline(target, catalog, decision)
  if (readProjectFacts(target).tablesWithoutRows.length > 0) {
    // Only now it is known of which tables the tests can make no row.
    const again = await generate(root, { ...how, wantsClient: false })
    const left = reportGenerated(again, { isChecking: false, isWriting: true, isColored })
    if (left.exitCode !== 0) return left
  }
  const lines = [...summary(decision, catalog), ...nextSteps(relative(options.cwd, root), options)]
  return { lines, exitCode: report.exitCode }
}

function refuseManifest(target: Target): void {
  const found = manifestPaths.find((path) => target.files.kind(at(target, path)) !== null)
  if (found === undefined) return
  throw new Refusal(
    `A manifest exists already (${join(target.root, found)}), and svc does not overwrite it.\n  fix    svc init <another folder> --from …`,
  )
}

/** Development finds its database in `.env`, which git ignores; one that is there is its owner's. */
function settings(target: Target, { url }: Existing): ReadonlyMap<string, string> {
  const isThere = target.files.kind(at(target, '.env')) !== null
  return new Map(isThere ? [] : [['.env', `DATABASE_URL=${url}\n`]])
}

async function writeTexts(target: Target, texts: ReadonlyMap<string, string>): Promise<void> {
  target.files.makeFolder(target.root)
  const changes = [...texts].map(([path, after]) => ({ path, before: null, after }))
  await alone(target, async () => apply(target, changes))
}

/** The draft of everything becomes the past: what the database is made of, and not what svc would have made. */
async function saveBaseline(target: Target, catalog: Catalog, decision: Decision): Promise<void> {
  const head = `${baselineHead}${leftMarks(besideManifest(catalog, decision))}`
  const state = readMigrationState(target)
  const { files } = planSave(state, 'baseline', new Date(0))
  const changes = files.map(({ path, content }) => ({
    path,
    before: target.files.read(at(target, path)),
    after: path.endsWith('migration.sql') ? `${head}\n${catalog.baseline}` : content,
  }))
  await alone(target, async () => apply(target, changes))
}

function summary(decision: Decision, { tables, hasHistory }: Catalog): readonly string[] {
  const { repositories, pivots } = decision
  return [
    `Read ${tables.length} tables; nothing in the database was changed.`,
    '',
    'Served:',
    ...repositories.map(({ table, key, words }) => {
      const said = words.flatMap(({ says = [] }) => says)
      return `  ${[`${table}  at /api/svc/${key}`, ...said].join('; ')}`
    }),
    ...(pivots.length === 0
      ? []
      : ['', 'Relations between them:', ...pivots.map((each) => `  ${each}`)]),
    ...leftLines(decision),
    '',
    `${migrationPaths.base.replace('base.prisma', '')} begins with the database as it is; there is nothing to migrate.`,
    ...(hasHistory ? prismaLines : firstHistoryLines),
  ]
}

const firstHistoryLines = [
  'The first start of the server, or `svc migrate`, makes the table _prisma_migrations in it, and notes there what it ran.',
]

const prismaLines = [
  'It has a history of Prisma (_prisma_migrations), which stays. The first start of the server, or `svc migrate`, adds a row to it:',
  '19700101000000_baseline. From then on migrate with svc alone: the `prisma migrate dev` of before does not know that row, and',
  'offers to reset the database. (Its `migrate deploy` and `migrate status` name it, too.)',
]

const leftLines = ({ left }: Decision): readonly string[] =>
  left.length === 0 ? [] : ['', 'Left alone:', ...left.map(({ what, why }) => `  ${what}: ${why}`)]

function nextSteps(folder: string, { policies, features }: InitOptions): readonly string[] {
  const enter = folder === '' ? [] : [`  cd ${folder.includes(' ') ? `'${folder}'` : folder}`]
  return [
    '',
    'Next:',
    ...enter,
    '  npm install',
    `  npx --no svc dev         then open http://127.0.0.1:3000${firstPage(features)}`,
    '',
    ...(policies === null
      ? ['The policies deny everybody until you change app/Policies.']
      : ['Everybody may read and nobody may write, until you change app/Policies.']),
    'There is no sign-in yet: a policy that says () => true lets guests read and write. With email: email().unique() and password: password()',
    "in the repository users, its users sign in, and newPolicies: 'owner' in manifest/index.ts opens the policies that you have not edited.",
  ]
}

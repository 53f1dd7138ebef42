import { relative, resolve } from 'node:path'
import type { Database } from '../../blueprint/types.js'
import {
  onDatabase,
  starterManifest,
  type Example,
  type Opened,
} from '../../plan/render/starter.js'
import type { RuntimeForm } from '../../write/base/lock-file.js'
import { createProject, exampleTexts } from '../../write/project/new-project.js'
import { targetAt } from '../../write/target.js'
import { firstPage } from '../change/dev/pages.js'
import { generate } from '../change/generate-project.js'
import { finish } from '../change/rest.js'
import type { Features } from '../context.js'
import { reportFinished, reportGenerated } from '../report/report.js'

export interface MakeOptions {
  readonly features: Features
  readonly cwd: string
  readonly folder: string
  readonly example: Example | null
  readonly database: Database
  /** The access that policies give at first; an example brings its own. */
  readonly policies: Opened
  readonly runtime: RuntimeForm
  readonly isColored: boolean
}

export async function makeProject(
  options: MakeOptions,
): Promise<{ lines: readonly string[]; exitCode: number }> {
  const root = resolve(options.cwd, options.folder)
  const texts = firstTexts(options)
  await createProject(targetAt(root), texts)
  const how = { conflicts: 'stop', force: false, isWriting: true, wantsClient: true } as const
  const outcome = await generate(root, {
    ...how,
    features: options.features,
    runtime: options.runtime,
  })
  const { isColored } = options
  const isExample = options.example !== null
  const asked = { isChecking: false, isWriting: true, isColored, isExample }
  const report = reportGenerated(outcome, asked)
  const last = reportFinished(await finish(outcome))
  const next = nextSteps(relative(options.cwd, root), options)
  const access = isExample ? [] : [accessText(options.policies)]
  const tried = texts.has('TRY.md') ? ['TRY.md says who else signs in, and what to try.'] : []
  const lines = [...report.lines, ...last.lines, ...next, ...access, ...tried]
  return { lines, exitCode: report.exitCode === 0 ? last.exitCode : report.exitCode }
}

function firstTexts({ example, database, policies }: MakeOptions) {
  return example === null
    ? starterManifest(database, policies)
    : onDatabase(exampleTexts(example), database)
}

const accessText = (policies: Opened) =>
  `Who may do what: ${accessOf[policies ?? 'nobody']}. Change it in app/Policies, and for later repositories in manifest/index.ts.`

const accessOf = {
  nobody: 'nobody may do anything yet',
  owner: 'users read and write their own rows, and nobody else sees them',
  'signed-in': 'signed-in users read and write all rows',
  'public-read': 'everyone reads all rows, and users write their own',
} as const

/** One command to run, and one address to open; PostgreSQL has to be named first. */
function nextSteps(folder: string, { database, features }: MakeOptions): readonly string[] {
  const quoted = folder.includes(' ') ? `'${folder}'` : folder
  const enter = folder === '' ? [] : [`cd ${quoted}`]
  const run = ['npm install', 'npx --no svc migrate', 'npm run seed', 'npx --no svc dev'].join(
    ' && ',
  )
  const connect =
    database === 'sqlite' ? [] : ['cp .env.example .env     and put your database in DATABASE_URL']
  const separate = [...enter, ...connect, run]
  const lines = connect.length === 0 ? [[...enter, run].join(' && ')] : separate
  return [
    '',
    'Next:',
    ...lines.map((line) => `  ${line}`),
    '',
    `Then open http://127.0.0.1:3000${firstPage(features)} and sign in as ada@example.com with the password 'password'.`,
  ]
}

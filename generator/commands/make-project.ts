import { relative, resolve } from 'node:path'
import type { Database } from '../blueprint/types.js'
import { onDatabase, starterManifest } from '../plan/starter.js'
import { createProject, exampleTexts } from '../write/new-project.js'
import { targetAt } from '../write/target.js'
import { generate } from './generate-project.js'
import { reportFinished, reportGenerated } from './report.js'
import { finish } from './rest.js'

export interface MakeOptions {
  readonly cwd: string
  readonly folder: string
  readonly example: 'blog' | null
  readonly database: Database
  readonly isColored: boolean
}

export async function makeProject(
  options: MakeOptions,
): Promise<{ lines: readonly string[]; exitCode: number }> {
  const root = resolve(options.cwd, options.folder)
  await createProject(targetAt(root), firstTexts(options))
  const how = { conflicts: 'stop', force: false, isWriting: true, wantsClient: true } as const
  const outcome = await generate(root, how)
  const { isColored } = options
  const report = reportGenerated(outcome, { isChecking: false, isWriting: true, isColored })
  const last = reportFinished(await finish(outcome))
  const next = nextSteps(relative(options.cwd, root), options.database)
  const lines = [...report.lines, ...last.lines, ...next]
  return { lines, exitCode: report.exitCode === 0 ? last.exitCode : report.exitCode }
}

function firstTexts({ example, database }: MakeOptions) {
  return example === null ? starterManifest(database) : onDatabase(exampleTexts(example), database)
}

function nextSteps(folder: string, database: Database): readonly string[] {
  const enter = folder === '' ? [] : [`  cd ${folder.includes(' ') ? `'${folder}'` : folder}`]
  const connect =
    database === 'sqlite'
      ? []
      : ['  cp .env.example .env     and put your database in DATABASE_URL']
  const fill = ['  npx svc migrate', '  npm run seed             a first user, and a token']
  const serve = '  npx svc dev              then open http://127.0.0.1:3000/docs'
  return ['', 'Next:', ...enter, '  npm install', ...connect, ...fill, serve]
}

import { untilEnd } from '../children.js'
import type { Features } from '../context.js'
import { reportFinished, reportGenerated } from '../report/report.js'
import { generate } from './generate-project.js'
import { finish } from './rest.js'
import { watchProject } from './watch-project.js'

export interface FollowOptions {
  readonly root: string
  readonly features: Features
  readonly say: (...lines: readonly string[]) => void
  /** Called with failures that do not end it. */
  readonly report: (error: unknown) => void
  readonly isColored: boolean
}

/** `svc generate --watch`: until a signal. Plans without a conflict are applied: no edit is removed. */
export async function followManifest(options: FollowOptions): Promise<number> {
  const over = untilEnd()
  await renew(options)
  const behind: Behind = { is: false }
  const watcher = await watchProject(options.root, {
    renew: ({ isManifest }) =>
      isManifest || behind.is ? renewAgain(options, behind) : Promise.resolve([]),
    report: options.report,
  })
  options.say('Watching the manifest. Ctrl-C ends it.')
  await over
  await watcher.close()
  return 0
}

/** A run failed, or gave way to somebody who kept on saving: any change is a reason for the next one. */
interface Behind {
  is: boolean
}

async function renewAgain(options: FollowOptions, behind: Behind): Promise<readonly string[]> {
  behind.is = false
  try {
    return await renew(options)
  } catch (error) {
    behind.is = true
    throw error
  }
}

/** The paths it wrote. */
async function renew({
  root,
  features,
  say,
  isColored,
}: FollowOptions): Promise<readonly string[]> {
  const how = { features, conflicts: 'stop', force: false, isWriting: true } as const
  const outcome = await generate(root, { ...how, onlyClean: true, isCompiling: true })
  const reporting = { isChecking: false, isWriting: true, isColored }
  const isNews = outcome.kind === 'problems' || outcome.prepared.changes.length > 0
  if (isNews) say(...reportGenerated(outcome, reporting).lines)
  if (outcome.kind === 'problems') return []
  say(...reportFinished(await finish(outcome)).lines)
  if (outcome.isWritten) return outcome.prepared.changes.map(({ path }) => path)
  say(
    '',
    'Not applied while watching: run `svc generate`, which settles conflicts and removes sign-in.',
  )
  return []
}

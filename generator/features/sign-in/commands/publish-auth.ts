import { formatProblems } from '../../../blueprint/problems.js'
import { Refusal } from '../../../blueprint/refusal.js'
import { renderFiles } from '../../../commands/change/render-files.js'
import type { Features } from '../../../commands/context.js'
import { exitCodes } from '../../../commands/failure.js'
import { readConfigs } from '../../../commands/feature-facts.js'
import { readBlueprint } from '../../../commands/read-blueprint.js'
import { tidy } from '../../../source/tidy.js'
import { baseChanges, readBase } from '../../../write/base/base-store.js'
import { apply } from '../../../write/run/apply.js'
import type { Change } from '../../../write/run/change.js'
import { alone } from '../../../write/run/run-lock.js'
import { repair } from '../../../write/run/take-back.js'
import { undisturbed } from '../../../write/run/undisturbed.js'
import { at, targetAt, type Target } from '../../../write/target.js'
import { authActions, notificationPaths, publishedFolder, type AuthAction } from '../actions.js'
import { forward, isMail, publishables, publishedText } from '../publish.js'

type Name = AuthAction['action']

interface Said {
  readonly lines: readonly string[]
  readonly exitCode: number
}

const routes = 'routes/api.ts'

/** Copies what runs to where it is the developer's, and routes to it: all in one run, or nothing. */
export async function publishAuth(
  root: string,
  features: Features,
  actions: readonly Name[],
): Promise<Said> {
  const target = targetAt(root)
  return alone(target, async () => {
    repair(target)
    const read = await readBlueprint(root, features)
    if ('problems' in read) {
      return { lines: [formatProblems(read.problems)], exitCode: exitCodes.problems }
    }
    if (read.blueprint.auth === null) {
      throw new Refusal('There is no auth repository yet: run `svc setup-auth` first.')
    }
    const { blueprint } = read
    const { facts } = await readConfigs(root, features, blueprint)
    const rendered = await renderFiles(target, { blueprint, facts }, { features })
    const texts = new Map(rendered.map(({ path, content }) => [path, content]))
    return undisturbed(() => publish(target, texts, actions))
  })
}

async function publish(
  target: Target,
  rendered: ReadonlyMap<string, string>,
  actions: readonly Name[],
): Promise<Said> {
  const before = target.files.read(at(target, routes))
  const { linesToPaste, routePublished } = await import('../edit-routes.js')
  const after = before === null ? null : routePublished(before, actions)
  const chosen = publishables.filter(({ from }) => isWanted(from, actions))
  const isThere = (path: string) => target.files.kind(at(target, path)) !== null
  const published = new Set(publishables.map(({ to }) => to).filter(isThere))
  if (after === null) {
    const mine = authActions.filter(({ action, controller }) => {
      return actions.includes(action) || published.has(`${publishedFolder}/${controller}.ts`)
    })
    const lines = linesToPaste(mine.map(({ action }) => action))
    return { lines: cannotEdit(lines), exitCode: exitCodes.problems }
  }
  const fresh = chosen.filter(({ to }) => !published.has(to))
  const all = new Set([...published, ...chosen.map(({ to }) => to)])
  const changes: Change[] = []
  const written = new Map<string, string>()
  for (const file of fresh) {
    const { from, to } = file
    const running = target.files.read(at(target, from))
    if (running === null) throw new Refusal(`'${from}' is missing: run \`svc generate\` first.`)
    const copy = async (text: string) => tidy(to, publishedText(text, all))
    changes.push({ path: to, before: null, after: await copy(running) })
    written.set(to, await copy(rendered.get(from) ?? running))
    if (!isMail(from)) continue
    // From now on svc's own mail is the published one.
    changes.push({ path: from, before: running, after: forward(file) })
    written.set(from, forward(file))
  }
  if (after !== before) changes.push({ path: routes, before, after })
  changes.push(...baseChanges(target, readBase(target), written))
  const changed = changes.filter((change) => change.before !== change.after)
  apply(target, changed)
  return { lines: report(chosen, fresh, after !== before), exitCode: exitCodes.done }
}

/** The actions that mail a verification link. */
const senders: readonly Name[] = ['register', 'profile', 'verifyEmail']

/** A controller by its action; a mail with the controllers that send it. */
function isWanted(from: string, actions: readonly Name[]): boolean {
  const [forgotten, verified] = notificationPaths
  if (from === forgotten) return actions.includes('forgotPassword')
  if (from === verified) return senders.some((action) => actions.includes(action))
  return authActions.some(
    ({ action, controller }) => from.endsWith(`/${controller}.ts`) && actions.includes(action),
  )
}

interface Copy {
  readonly to: string
}

function report(
  chosen: readonly Copy[],
  fresh: readonly Copy[],
  isRouted: boolean,
): readonly string[] {
  const lines = chosen.map((copy) =>
    fresh.includes(copy) ? `  published ${copy.to}` : `  yours     ${copy.to}`,
  )
  const edited = isRouted ? [`  updated   ${routes}`] : []
  if (fresh.length === 0 && !isRouted)
    return ['Nothing to publish: these are yours already.', ...lines]
  return ['Published. These run as before, and are yours to edit:', ...lines, ...edited]
}

const cannotEdit = (lines: readonly string[]) => [
  `Nothing was changed: ${routes} has a shape that svc does not edit. These lines do it:`,
  '',
  ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
  '',
  'Put `svcAuth(api)` there as a statement of its own, and `svc auth` copies the controllers and edits the file.',
]

import { formatProblems } from '../../../blueprint/problems.js'
import { Refusal } from '../../../blueprint/refusal.js'
import type { Blueprint } from '../../../blueprint/types.js'
import { clientState } from '../../../commands/change/prisma-client.js'
import { renderFiles } from '../../../commands/change/render-files.js'
import type { Features } from '../../../commands/context.js'
import { exitCodes } from '../../../commands/failure.js'
import { readConfigs } from '../../../commands/feature-facts.js'
import { readBlueprint } from '../../../commands/read-blueprint.js'
import { reportGenerated } from '../../../commands/report/report.js'
import { starterManifest } from '../../../plan/render/starter.js'
import { isBlocked } from '../../../plan/status.js'
import { ownVersion } from '../../../source/package-files.js'
import { prepare } from '../../../write/prepare.js'
import { readProjectFacts } from '../../../write/project/project-facts.js'
import { inScratch } from '../../../write/project/scratch.js'
import { apply } from '../../../write/run/apply.js'
import type { Change } from '../../../write/run/change.js'
import { alone } from '../../../write/run/run-lock.js'
import { repair } from '../../../write/run/take-back.js'
import { undisturbed } from '../../../write/run/undisturbed.js'
import { at, svcPaths, targetAt, type Target } from '../../../write/target.js'

interface Said {
  readonly lines: readonly string[]
  readonly exitCode: number
}

const routes = 'routes/api.ts'
const entry = 'manifest/index.ts'
const usersFile = 'manifest/users.ts'
const configFile = 'config/svc.ts'

/** Makes a project in which people sign in: all in one run, or nothing. */
export async function setupAuth(
  root: string,
  features: Features,
  { isColored }: { readonly isColored: boolean },
): Promise<Said> {
  const target = targetAt(root)
  refuseOld(target)
  return alone(target, async () => {
    const repaired = repair(target)
    return undisturbed(() => setUp(target, { features, isColored, repaired }))
  })
}

async function setUp(target: Target, reporting: Reporting): Promise<Said> {
  const { features } = reporting
  const reading = (root: string) => readBlueprint(root, features)
  const read = await reading(target.root)
  if ('blueprint' in read && read.blueprint.auth !== null) return registered(target)
  const configs = configsOf(target)
  const before =
    configs === null ? read : await inScratch(target, new Map([configs.without]), reading)
  if ('problems' in before) return said([formatProblems(before.problems)], exitCodes.problems)
  const manifest = await manifestWithUsers(target, before.blueprint, configs)
  if (manifest === null) return said(cannotEdit, exitCodes.problems)
  const texts = new Map(manifest.map(({ path, after }) => [path, after]))
  const planned = await inScratch(target, texts, reading)
  if ('problems' in planned) return said([formatProblems(planned.problems)], exitCodes.problems)
  if (planned.blueprint.auth === null) return said(signInIsOff, exitCodes.problems)
  return write(target, planned.blueprint, manifest, reporting)
}

interface Configs {
  readonly text: string
  /** The config, when there is no auth repository yet, and when `users` are it. */
  readonly without: readonly [path: string, text: string]
  readonly with: string
}

/**
 * The config may say that there is no auth repository, or name `users` that are not there yet: this command is what makes
 * both right. Null: it says neither, or something else.
 */
function configsOf(target: Target): Configs | null {
  const text = target.files.read(at(target, configFile))
  const said = /^( +user_model: *)(?:null|'users'|"users")(?=,|$)/m
  if (text === null || !said.test(text)) return null
  const saying = (value: string) => text.replace(said, `$1${value}`)
  return { text, without: [configFile, saying('null')], with: saying("'users'") }
}

const said = (lines: readonly string[], exitCode: number): Said => ({ lines, exitCode })

/** Projects of the generations before this API: nothing here would fit them. */
function refuseOld(target: Target): void {
  const lock = /"svc":\s*"(\d+)\.[^"]*"/.exec(target.files.read(at(target, svcPaths.lock)) ?? '')
  const installed = /^[~^]?(\d+)\.\d/.exec(readProjectFacts(target).svckit)
  const old = [lock?.[1], installed?.[1]].find((major) => major !== undefined && Number(major) < 10)
  if (old === undefined) return
  throw new Refusal(
    `This project was made by svckit ${old}, and signing in needs 10 or newer: nothing was changed.\n` +
      `  fix    npm install --save-dev svckit@${ownVersion} && npx --no svc generate, then npx --no svc setup-auth`,
  )
}

/** Somebody signs in already; the routes may still lack the line. */
async function registered(target: Target): Promise<Said> {
  const before = target.files.read(at(target, routes))
  if (before === null) throw new Refusal(`'${routes}' is missing: run \`svc generate\` first.`)
  const { callsAuth, registerAuth } = await import('../edit-routes.js')
  if (callsAuth(before)) {
    return said(['People sign in here already: nothing to set up.'], exitCodes.done)
  }
  const after = registerAuth(before)
  if (after === null) return said(cannotRegister, exitCodes.problems)
  apply(target, [{ path: routes, before, after }])
  return said([`Registered the routes of signing in in ${routes}.`], exitCodes.done)
}

interface Edited extends Change {
  readonly after: string
}

/** Texts of the manifest, and of the config, that give the project `users` who can sign in. */
async function manifestWithUsers(
  target: Target,
  blueprint: Blueprint,
  configs: Configs | null,
): Promise<readonly Edited[] | null> {
  const edits = await usersEdits(target, blueprint)
  if (edits === null || configs === null || configs.with === configs.text) return edits
  return [...edits, { path: configFile, before: configs.text, after: configs.with }]
}

async function usersEdits(target: Target, blueprint: Blueprint): Promise<readonly Edited[] | null> {
  const { addSignInFields, addUsers } = await import('../edit-manifest.js')
  const users = blueprint.entities.find(({ key }) => key === 'users')
  const path = users?.source ?? entry
  const text = target.files.read(at(target, path))
  if (text === null) return null
  if (users !== undefined) {
    const names = (['email', 'password'] as const).filter(
      (name) => !users.columns.some((column) => column.name === name && column.kind === name),
    )
    const edited = addSignInFields(text, names)
    return edited === null ? null : [{ path, before: text, after: edited }]
  }
  const isTaken = target.files.kind(at(target, usersFile)) !== null
  const edited = isTaken ? null : addUsers(text)
  if (edited === null) return null
  return [
    { path, before: text, after: edited },
    { path: usersFile, before: null, after: newUsers() },
  ]
}

/** Returns the users of a new project, without the posts that belong to them there. */
function newUsers(): string {
  const text = starterManifest('sqlite').get(usersFile) ?? ''
  return text.replace(/\n {2}related: \{[^}]*\},/, '').replace('hasMany, ', '')
}

interface Reporting {
  readonly features: Features
  readonly isColored: boolean
  readonly repaired: ReturnType<typeof repair>
}

async function write(
  target: Target,
  blueprint: Blueprint,
  manifest: readonly Edited[],
  { features, isColored, repaired }: Reporting,
): Promise<Said> {
  const { facts, problems } = await readConfigs(target.root, features, blueprint)
  if (problems.length > 0) return said([formatProblems(problems)], exitCodes.problems)
  const rendered = await renderFiles(target, { blueprint, facts }, { features })
  const options = { features, conflicts: 'stop', force: false, version: ownVersion } as const
  const prepared = await prepare(target, rendered, { ...options, blueprint })
  if (prepared.problems.length > 0) {
    return said([formatProblems(prepared.problems)], exitCodes.problems)
  }
  const isWritten = !isBlocked(prepared.plan)
  const planned = new Set(prepared.changes.map(({ path }) => path))
  const edits = manifest.filter(({ path }) => !planned.has(path))
  apply(target, isWritten ? [...edits, ...prepared.changes] : prepared.changes)
  const isClientStale = isWritten && clientState(target) === 'stale'
  const made = { blueprint, facts, prepared, repaired, isClientStale }
  const outcome = {
    kind: 'planned',
    ...made,
    isWritten,
    rest: null,
    notInstalled: null,
    nulls: [],
    unread: [],
  } as const
  const report = reportGenerated(outcome, { isChecking: false, isWriting: true, isColored })
  const edited = isWritten ? edits.map(({ path }) => `  edited    ${path}`) : []
  return said([...edited, ...report.lines, ...(isWritten ? next : [])], report.exitCode)
}

const next = [
  '',
  'People can sign in now. Next:',
  '  npm install              for argon2 and the mailers',
  '  npx --no svc migrate     for users, personal_access_tokens, password_resets and rate_limits',
]

const cannotEdit = [
  'Nothing was changed: the manifest has a shape that svc does not edit. Add a repository of users, then run `svc generate`:',
  '',
  "  import { email, password, repository, text } from 'svckit'",
  '',
  '  export const users = repository({',
  '    fields: { name: text().max(120).nullable(), email: email().unique(), password: password() },',
  '  })',
  '',
  "  defineManifest({ database: 'sqlite', repositories: { users } })",
]

const signInIsOff = [
  'Nothing was changed: config/svc.ts says that there is no auth repository.',
  "  fix    auth: { user_model: 'users' }",
]

const cannotRegister = [
  `Nothing was changed: ${routes} has a shape that svc does not edit. These lines do it, before svcResources(api):`,
  '',
  "  import { svcAuth } from '../../../app/Http/auth.js'",
  '',
  '  svcAuth(api)',
]

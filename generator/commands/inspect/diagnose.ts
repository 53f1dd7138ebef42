import { formatProblems } from '../../blueprint/problems.js'
import type { Blueprint } from '../../blueprint/types.js'
import { adviseOn, type Advice } from '../../plan/advice/advice.js'
import { gateAdvice } from '../../plan/advice/gate-advice.js'
import { scriptAdvice } from '../../plan/advice/script-advice.js'
import { findSecrets } from '../../plan/advice/secrets.js'
import type { PolicyFile } from '../../plan/feature.js'
import { lostHooksText } from '../../plan/project.js'
import type { PlanFile } from '../../plan/status.js'
import { ownVersion } from '../../source/package-files.js'
import { readLock } from '../../write/base/lock-file.js'
import type { PreparedPlan } from '../../write/prepare.js'
import { committedFiles } from '../../write/project/committed-files.js'
import { disagreement, notInstalled } from '../../write/project/installed-packages.js'
import { at, svcPaths, targetAt, type Target } from '../../write/target.js'
import { generate } from '../change/generate-project.js'
import type { Features } from '../context.js'
import { exitCodes } from '../failure.js'
import { diagnoseProduction } from './production/diagnose-production.js'
import type { TableFacts } from './production/table-facts.js'
import { isOfOldRuntime, oldRuntime } from './runtime-age.js'

export interface Diagnosis {
  readonly lines: readonly string[]
  readonly json: object
  readonly exitCode: number
}

/** Lists the problems of a project, and those that production will have. Writes nothing. */
export async function diagnose(
  root: string,
  features: Features,
  { isProduction }: { readonly isProduction: boolean },
): Promise<Diagnosis> {
  const target = targetAt(root)
  const outcome = await generate(root, {
    features,
    conflicts: 'stop',
    force: false,
    isWriting: false,
  })
  if (outcome.kind === 'problems') {
    const { problems } = outcome
    return { lines: [formatProblems(problems)], json: { problems }, exitCode: exitCodes.problems }
  }
  const production = isProduction
    ? await diagnoseProduction(target, features, outcome.blueprint)
    : { wrong: [], advice: [], tables: [] }
  const wrong = [
    ...projectAdvice(target, outcome.prepared),
    ...outcome.nulls,
    ...outcome.unread,
    ...secretAdvice(target),
    ...production.wrong,
  ]
  const policies = policyFiles(outcome.prepared.plan.files)
  const advice = [
    ...adviseOn(outcome.blueprint),
    ...features.flatMap((each) => each.advice?.(outcome.blueprint) ?? []),
    ...pageAdvice(target),
    ...scriptAdvice(outcome.prepared.plan.files),
    ...features.flatMap((each) => each.policyAdvice?.(policies, outcome.blueprint) ?? []),
    ...(await gateAdvice(policies, outcome.blueprint)),
    ...untested(target, features, outcome.blueprint, outcome.prepared.plan.files),
    ...production.advice,
  ]
  const lines = [
    ...section('Wrong:', wrong),
    ...section('Will hurt in production:', advice),
    ...tableLines(production.tables),
  ]
  return {
    lines: lines.length === 0 ? ['All is well.'] : lines,
    json: { wrong, advice, ...(isProduction ? { tables: production.tables } : {}) },
    exitCode: wrong.length === 0 ? exitCodes.done : wrongCode(isProduction),
  }
}

/** In production, the problem of a command that could not run is reported by a script. */
const wrongCode = (isProduction: boolean) => (isProduction ? exitCodes.pending : exitCodes.problems)

function tableLines(tables: readonly TableFacts[]): readonly string[] {
  if (tables.length === 0) return []
  const sizes = tables.map(({ table, rows, bytes }) => {
    const size = bytes === null ? '' : `, ${Math.ceil(bytes / 1024)} KB`
    return `  ${table}  ${rows === null ? 'not counted' : `${rows} ${rows === 1 ? 'row' : 'rows'}`}${size}`
  })
  return ['Tables:', ...sizes]
}

function section(title: string, advice: readonly Advice[]): readonly string[] {
  if (advice.length === 0) return []
  return [
    title,
    ...advice.flatMap(({ at: where, message, fix }) => [
      `  ${where}  ${message}`,
      `    fix  ${fix}`,
    ]),
  ]
}

const policyFiles = (files: readonly PlanFile[]): readonly PolicyFile[] =>
  files.flatMap(({ path, content }) =>
    path.startsWith('app/Policies/') && content !== null ? [{ path, content }] : [],
  )

/** Lock and base against the disk. */
function projectAdvice(target: Target, { plan, hasLostBase }: PreparedPlan): readonly Advice[] {
  const lock = readLock(target, ownVersion)
  const wrong = (rule: string, where: string, message: string, fix: string) => ({
    rule,
    at: where,
    message,
    fix,
  })
  const restore = 'restore it from version control, then `svc generate`'
  const made = plan.files.filter(({ baseBefore }) => baseBefore !== null)
  const isOld = isOfOldRuntime(made)
  return [
    ...(lock === null ? [wrong('lock', svcPaths.lock, 'is missing', restore)] : []),
    ...oldRuntime(made, { generated: lock?.svc, installed: ownVersion }),
    ...versionAdvice(target),
    ...(hasLostBase
      ? [wrong('base', svcPaths.base, 'is missing, so svc cannot tell what you edited', restore)]
      : []),
    ...made
      .filter(({ status }) => status === 'conflict')
      .map(({ path }) =>
        wrong(
          'conflict',
          path,
          'you and svc changed the same lines',
          '`svc generate` says what to do',
        ),
      ),
    ...made
      .filter(isDeletedPolicy)
      .map(({ path }) =>
        wrong(
          'no-policy',
          path,
          'was deleted, so the policy denies everyone',
          `\`svc adopt ${path}\` brings it back`,
        ),
      ),
    ...made
      .filter(isLostHooks)
      .map(({ path }) =>
        wrong(
          'no-hooks',
          path,
          lostHooksText,
          `${renamedFrom(target, plan.files)}\`svc adopt ${path}\` writes it anew`,
        ),
      ),
    ...made
      .filter(
        (file) =>
          (file.status === 'update' || file.status === 'remove') &&
          file.before !== null &&
          !isOld(file),
      )
      .map(({ path }) => wrong('outdated', path, 'does not match the manifest', '`svc generate`')),
  ]
}

/** svc.lock.json, package.json, node_modules and this svckit, of the runtime. */
function versionAdvice(target: Target): readonly Advice[] {
  const rule = 'runtime-version'
  const said = disagreement(target)
  const other = notInstalled(target)
  return [
    ...(said === null ? [] : [{ rule, at: 'package.json', ...said }]),
    ...(other === null
      ? []
      : [{ rule, at: 'node_modules', message: other.text, fix: other.command }]),
  ]
}

const isDeletedPolicy = ({ status, path }: PlanFile) =>
  status === 'deleted' && path.startsWith('app/Policies/')

const isLostHooks = ({ status, path }: PlanFile) =>
  status === 'deleted' && path.startsWith('app/Hooks/')

/** Files beside it that svc does not know. */
function renamedFrom(target: Target, files: readonly PlanFile[]): string {
  const known = new Set(files.map(({ path }) => path))
  const names = [...target.files.list(at(target, 'app/Hooks')).keys()]
  const unknown = names.filter((name) => name.endsWith('.ts') && !known.has(`app/Hooks/${name}`))
  return unknown.length === 0 ? '' : `give ${unknown.join(' or ')} that name again; or `
}

/** Larger files are data. */
const maxLength = 200_000

function secretAdvice(target: Target): readonly Advice[] {
  return committedFiles(target).flatMap((path) => {
    const fix =
      'remove it, put it into the environment, and replace it where it is valid: others could read it'
    if (/(^|\/)\.env(\.(local|production|development))?$/.test(path)) {
      return [{ rule: 'secret', at: path, message: 'the environment is in version control', fix }]
    }
    return findSecrets(readText(target, path)).map(({ line, what }) => {
      return { rule: 'secret', at: `${path}:${line}`, message: `looks like ${what}`, fix }
    })
  })
}

/** Pictures and the like hold no text. */
function readText(target: Target, path: string): string {
  try {
    const text = target.files.read(at(target, path)) ?? ''
    return text.length > maxLength ? '' : text
  } catch {
    return ''
  }
}

/** Larger pages than this are a way to bring a server down; the manifest has problems of its own for them. */
const largestPage = 1000

function pageAdvice(target: Target): readonly Advice[] {
  const text = target.files.read(at(target, 'config/svc.ts')) ?? ''
  const given = /^\s*max_per_page:\s*([^,\n]+)/m.exec(text)?.[1]?.trim().replaceAll('_', '')
  if (given === undefined || Number(given) <= largestPage) return []
  const message = `max_per_page is ${given}: one request may read a whole table`
  return [{ rule: 'page-size', at: 'config/svc.ts', message, fix: `at most ${largestPage}` }]
}

/**
 * Policies that no test asks. A feature may have one that tries every route as every role, and shows what came of it in review;
 * without that (not asked for, or deleted) what svc emits tests only that flags equal outcomes.
 */
function untested(
  target: Target,
  features: Features,
  { entities }: Blueprint,
  files: readonly PlanFile[],
): readonly Advice[] {
  const all = features.flatMap(({ policyTest }) => policyTest ?? [])
  const there = files.find(({ path }) => all.some((test) => test.path === path))
  if (there !== undefined && there.status !== 'deleted') return []
  const asked = all.map((test) => `; or ${test.asked}`).join('')
  const svcs = new Set(files.map(({ path }) => path))
  const tests = committedFiles(target)
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path) && !svcs.has(path))
    .map((path) => readText(target, path))
  return entities
    .filter(({ key, name }) => {
      const asking = new RegExp(`\\b${name}Policy\\b|/svc/${key}\\b`)
      return !tests.some((text) => asking.test(text))
    })
    .map(({ key, name }) => ({
      rule: 'untested-policy',
      at: `app/Policies/${name}Policy.ts`,
      message: `none of your tests checks who may do what with '${key}'`,
      fix: `a test that names ${name}Policy, or requests /api/svc/${key}${asked}`,
    }))
}

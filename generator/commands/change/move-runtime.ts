import { readdirSync } from 'node:fs'
import { Refusal } from '../../blueprint/refusal.js'
import { isPending, type PlanFile } from '../../plan/status.js'
import { sameText } from '../../source/merge.js'
import { ownVersion } from '../../source/package-files.js'
import { importedFile, specifiersIn } from '../../source/specifiers.js'
import { readLock, type RuntimeForm } from '../../write/base/lock-file.js'
import { packageManager } from '../../write/project/installed-packages.js'
import { readCode } from '../../write/project/read-code.js'
import { runtimeForm, runtimePackage } from '../../write/project/runtime-form.js'
import { at, targetAt, type Target } from '../../write/target.js'
import type { Features } from '../context.js'
import { reportGenerated, type Report } from '../report/report.js'
import { generate } from './generate-project.js'

/** `svc publish runtime`, and back: whose the files of the runtime are, and what leads to them. Nothing else changes. */
export async function moveRuntime(
  root: string,
  features: Features,
  form: RuntimeForm,
  isColored: boolean,
): Promise<Report> {
  const target = targetAt(root)
  if (runtimeForm(target) === form) throw new Refusal(already[form])
  const how = { features, conflicts: 'stop', force: false } as const
  const reporting = { isChecking: false, isWriting: true, isColored }
  const before = await generate(root, { ...how, isWriting: false })
  if (before.kind === 'problems') return reportGenerated(before, reporting)
  const { plan, changes } = before.prepared
  if (isPending(plan) || changes.length > 0) throw new Refusal(pending)
  if (form === 'package') refuseEdits(target, plan.files)
  const outcome = await generate(root, { ...how, isWriting: true, runtime: form })
  const report = reportGenerated(outcome, reporting)
  const isSaid = outcome.kind === 'planned' && outcome.notInstalled !== null
  const next =
    report.exitCode === 0 && !isSaid ? ['', `Next: ${packageManager(target)} install`] : []
  return { ...report, lines: [...report.lines, ...next] }
}

const already: Record<RuntimeForm, string> = {
  own: 'The project has its own runtime/ already.\n  fix    svc publish runtime --undo, to import the package again',
  package: `The project imports ${runtimePackage} already.\n  fix    svc publish runtime, to have its files here`,
}

const pending =
  'The project is not up to date, and this command changes only the runtime.\n  fix    svc generate, then this again'

/** Refuses edits of files that the package does not contain, or under another path. */
function refuseEdits(target: Target, files: readonly PlanFile[]): void {
  const written = new Map(files.map((file) => [file.path, file]))
  const own = runtimeFilesOn(target).filter((path) => !written.has(path))
  const ejected = new Set(readLock(target, ownVersion)?.ejected.map(({ path }) => path))
  const edited = files
    .filter(({ path }) => path.startsWith('runtime/'))
    .filter((file) => !sameText(file.before, file.baseBefore) || ejected.has(file.path))
    .map(({ path }) => path)
  const importing = [...readCode(target)].flatMap(([path, text]) =>
    path.startsWith('runtime/') ? [] : byPath(path, text),
  )
  const lines = [
    ...edited.map((path) => `  ${path}  was edited, deleted or ejected`),
    ...own.map((path) => `  ${path}  is a file of your own`),
    ...importing,
  ]
  if (lines.length === 0) return
  throw new Refusal(
    [
      'The package does not have these changes, so nothing was changed:',
      ...lines.toSorted(),
      '  fix    svc diff --mine runtime, which shows the edits; move what you need to app/, and import #runtime/…',
    ].join('\n'),
  )
}

function byPath(path: string, text: string): readonly string[] {
  const found = specifiersIn(text).filter(
    (each) => each.startsWith('.') && importedFile(path, each)?.startsWith('runtime/') === true,
  )
  return found.map((each) => `  ${path}  imports ${each}`)
}

function runtimeFilesOn(target: Target): readonly string[] {
  return readdirSync(at(target, 'runtime'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      `${entry.parentPath}/${entry.name}`.slice(target.root.length + 1).replaceAll('\\', '/'),
    )
}

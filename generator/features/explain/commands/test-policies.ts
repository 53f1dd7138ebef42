import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { runnable } from '../../../commands/project-process.js'
import { showProgress } from '../../../commands/report/progress.js'
import { runtimeForm } from '../../../write/project/runtime-form.js'
import { svcPaths, type Target } from '../../../write/target.js'
import { orCannot, type Told } from './ask-why.js'
import { CannotAsk } from './cannot-ask.js'
import { filesBelow, type Known, knownIn, stateOf } from './mutation/known.js'
import type { Mutant } from './mutation/mutant.js'
import { mutate } from './mutation/mutate.js'
import { mutationResult, mutationLines } from './mutation/mutation-lines.js'
import { testsFile, type TestsFile } from './mutation/tests-file.js'
import { type Ran, runVitest, type Weak, writeConfig } from './mutation/vitest-run.js'
import { filesAtRef } from './ref-files.js'

interface MutationLine {
  /** Only what is not there at this ref. */
  readonly since: string | null
  readonly minutes: string
  /** Processes at a time. */
  readonly workers: string | null
  readonly isVerbose: boolean
  /** The file of tests, which is printed otherwise. */
  readonly isWriting: boolean
}

const matrixTest = 'tests/authorization.test.ts'
const matrix = 'tests/authorization.md'
/** Files that svc writes; of these, only the matrix is about policies. */
const ofSvc = ['authorization', 'contract', 'invariants', 'values'].map(
  (name) => `tests/${name}.test.ts`,
)

/** `svc policies test`: what of the policies could be weaker without a test that notices. */
export function testPolicies(root: string, line: MutationLine, errors: Writable): Promise<Told> {
  return orCannot(async () => {
    const minutes = numberOf('--minutes', line.minutes)
    const workers = line.workers === null ? null : numberOf('--workers', line.workers)
    const target = await runnable(root)
    const { mutants, texts } = await mutantsOf(target, line.since)
    const weak = mutatedOf(target, texts)
    mkdirSync(weak.folder, { recursive: true })
    const run = {
      minutes,
      workers,
      weak,
      answers: join(weak.folder, `${stateOf(target.root)}.jsonl`),
    }
    await tryAll(run, mutants, errors)
    const found = mutationResult(mutants, knownIn(run.answers).known)
    const code = found.survived.length > 0 ? 1 : found.untried > 0 ? 2 : 0
    const file = await testsFile(target.root, found.survived)
    if (file !== null && line.isWriting) writeFileSync(join(target.root, file.path), file.text)
    const lines = [...mutationLines(found, line.isVerbose), ...fileLines(file, line.isWriting)]
    return { lines, json: { ...found, file }, exitCode: code }
  })
}

function fileLines(file: TestsFile | null, isWritten: boolean): readonly string[] {
  if (file === null) return []
  if (isWritten) return ['', `The tests that kill them are in ${file.path}: read it.`]
  const where = `Tests that kill them, for ${file.path} (\`--write\` writes it):`
  return ['', where, '', ...file.text.trimEnd().split('\n')]
}

async function mutantsOf({ root }: Target, since: string | null) {
  for (const path of [matrixTest, matrix]) {
    if (existsSync(join(root, path))) continue
    throw new CannotAsk(
      `${path} is missing: run \`npm test\` once, read the file that it wrote, and commit it.`,
    )
  }
  const { ts } = await import('../../../source/ts-morph.js')
  const paths = filesBelow(root, 'app').filter((path) => path.endsWith('.ts'))
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const { mutants, texts } = mutate(ts, files)
  if (since === null) return { mutants, texts }
  const before = mutate(ts, await filesAtRef(root, since))
  const old = new Set(before.mutants.map(({ id }) => id))
  return { mutants: mutants.filter(({ id }) => !old.has(id)), texts }
}

function mutatedOf(target: Target, texts: Weak['texts']): Weak {
  const { root } = target
  const config = readdirSync(root).find((name) => /^vitest\.config\.[cm]?[jt]s$/.test(name)) ?? null
  return {
    root,
    folder: join(root, svcPaths.folder, 'mutation'),
    texts,
    config,
    form: runtimeForm(target),
  }
}

function numberOf(name: string, text: string): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value
  throw new CannotAsk(`${name} takes a number above 0, and not '${text}'.`)
}

interface Run {
  readonly minutes: number
  readonly workers: number | null
  readonly weak: Weak
  readonly answers: string
}

/** Tries the open mutants, until the time is over or somebody interrupts it. */
async function tryAll(run: Run, mutants: readonly Mutant[], errors: Writable): Promise<void> {
  const until = Date.now() + run.minutes * 60_000
  const known = () => knownIn(run.answers).known
  const open = mutants.map(({ id }) => id).filter((id) => !known().has(id))
  if (open.length === 0) return
  const interrupt = new AbortController()
  const stop = () => interrupt.abort()
  process.on('SIGINT', stop)
  const progress = showProgress(errors)
  const tell = setInterval(() => {
    const found = mutationResult(mutants, known())
    const done = mutants.length - found.untried
    progress.step(
      `${bar(done, mutants.length)} ${done} of ${mutants.length} mutants, ${found.survived.length} survived`,
    )
  }, 500)
  try {
    writeConfig(run.weak)
    await tryMatrix(run, open, until, interrupt.signal)
    await tryOwn(run, mutants, until, interrupt.signal)
  } finally {
    clearInterval(tell)
    process.off('SIGINT', stop)
    progress.end()
  }
}

function bar(done: number, of: number): string {
  const width = Math.round((20 * done) / of)
  return `[${'#'.repeat(width)}${' '.repeat(20 - width)}]`
}

/** A process takes its time to start, so each has some to do. */
const fewest = 8

async function tryMatrix(
  { weak, workers, answers }: Run,
  open: readonly string[],
  until: number,
  interrupt: AbortSignal,
): Promise<void> {
  const most = workers ?? availableParallelism()
  const count = Math.max(1, Math.min(Math.ceil(most), Math.ceil(open.length / fewest)))
  const lanes = Array.from({ length: count }, (_, at) => {
    // Neighbours stay together: a test of one often notices the next.
    const size = Math.ceil(open.length / count)
    const ids = open.slice(at * size, (at + 1) * size)
    const task = join(weak.folder, `task-${at}.json`)
    writeFileSync(task, JSON.stringify({ ids, answers, until }))
    const words = ['run', matrixTest, '--maxWorkers', '1']
    return runVitest(weak, words, { SVC_MUTATION: task }, interrupt)
  })
  const ran = await Promise.all(lanes)
  const { differs } = knownIn(answers)
  if (differs.length > 0) {
    // Another run reads it anew.
    rmSync(answers, { force: true })
    throw new CannotAsk(
      [
        `${matrix} does not match the policies, so svc changed none of them:`,
        ...differs,
        `To accept the differences: npx vitest run ${matrixTest} -u`,
      ].join('\n  '),
    )
  }
  const failed = ran.find(({ code }) => code !== 0)
  if (failed !== undefined && !interrupt.aborted) throw new CannotAsk(failure(failed))
}

const failure = ({ output }: Ran): string =>
  `Your tests already fail without a mutant:\n${output.trim().split('\n').slice(-30).join('\n')}`

/** The owner's tests may kill a mutant that the matrix does not. */
async function tryOwn(
  { weak, answers, workers }: Run,
  mutants: readonly Mutant[],
  until: number,
  interrupt: AbortSignal,
): Promise<void> {
  const files = filesBelow(weak.root, 'tests').filter(
    (path) => /\.(test|spec)\.[cm]?[jt]s$/.test(path) && !ofSvc.includes(path),
  )
  if (files.length === 0 || interrupt.aborted) return
  const whole = await runVitest(weak, ['run', ...files], {}, interrupt)
  if (interrupt.aborted) return
  if (whole.code !== 0) throw new CannotAsk(failure(whole))
  const open = mutationResult(mutants, knownIn(answers).known).survived
  const queue = open.map(({ mutant }) => mutant.id)
  const work = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      if (Date.now() > until || interrupt.aborted) return
      const words = ['run', ...files, '--bail', '1']
      const { code } = await runVitest(weak, words, { SVC_MUTANT: id }, interrupt)
      const killedBy: Known = { id, killedBy: 'your tests' }
      if (code !== 0 && !interrupt.aborted) appendFileSync(answers, `${JSON.stringify(killedBy)}\n`)
    }
  }
  await Promise.all(Array.from({ length: workers ?? availableParallelism() }, work))
}

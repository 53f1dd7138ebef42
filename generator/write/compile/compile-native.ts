import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, parse, relative, resolve } from 'node:path'
import { installedFolder, installedVersion } from '../project/installed.js'
import { targetAt } from '../target.js'
import { keyOf, messageOf, type Compilation, type Found } from './found-errors.js'

/** The first version of TypeScript that is a native program: a fifth of the CPU of the last one in JavaScript. */
const firstNative = 7

interface Running {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Runs the project's own compiler on files. */
export interface Native {
  readonly now: ReadonlyMap<string, readonly Found[]>
  /** Returns the errors of these files before the change; null: it did not answer. */
  readonly before: (
    paths: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly Found[]> | null>
}

/**
 * Asks the project's own compiler about files as they are now, and hands over to `use`; null: it is none that answers soon, or
 * it did not answer.
 */
export async function withNative<Result>(
  { root, paths, before }: Compilation,
  running: Running,
  use: (native: Native) => Promise<Result | null>,
): Promise<Result | null> {
  const target = targetAt(root)
  const compiler = installedFolder(target, 'typescript')
  const version = Number.parseInt(installedVersion(target, 'typescript') ?? '', 10)
  if (compiler === null || !(version >= firstNative)) return null
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-compile-')))
  const compile = (config: string, project: Project) => {
    writeFileSync(config, JSON.stringify(configOf(project)))
    return run([join(compiler, 'bin/tsc'), '-p', config, ...options], project.root, running)
  }
  const typeRoots = [dirname(installedFolder(target, '@types/node') ?? root)]
  try {
    const all = paths.map(({ now }) => now)
    const said = await compile(join(folder, 'now.json'), { root, paths: all, typeRoots })
    const now = said === null ? null : errorsIn(said, root)
    if (said === null || now === null) return null
    return await use({
      now,
      before: async (old) => {
        const copy = copyOf(root, join(folder, 'before'), filesOf(said, root), before)
        const project = { root: copy, paths: old, typeRoots }
        const answer = await compile(join(folder, 'before.json'), project)
        return answer === null ? null : errorsIn(answer, copy)
      },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** More checkers than one check the same types several times. */
const options = ['--pretty', 'false', '--listFiles', '--checkers', '1']

interface Project {
  readonly root: string
  readonly paths: readonly string[]
  readonly typeRoots: readonly string[]
}

/** The project's, for these files and what they import. Types of packages are looked for from where a config lies. */
const configOf = ({ root, paths, typeRoots }: Project) => ({
  extends: join(root, 'tsconfig.json'),
  compilerOptions: { noEmit: true, skipLibCheck: true, incremental: false, typeRoots },
  files: paths.map((path) => join(root, path)),
  include: [],
})

/** Returns the compiler's output; null: it could not be run to its end. */
const run = (
  line: readonly string[],
  cwd: string,
  { timeoutMs, signal }: Running,
): Promise<string | null> =>
  new Promise((answer) => {
    const settings = {
      cwd,
      timeout: timeoutMs,
      maxBuffer: 16 * 1024 * 1024,
      ...(signal && { signal }),
    }
    execFile(process.execPath, line, settings, (error, stdout) => {
      // 1 and 2: it found something.
      const isDone = error === null || error.code === 1 || error.code === 2
      answer(isDone ? stdout : null)
    })
  })

const errorAt = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/
/** Files that it read, from the first one's line on. */
const isFile = (line: string) => isAbsolute(line)

/**
 * `app/words.ts(5,46): error TS2339: Property …`, and further lines of its message indented. Null: something is wrong that is in
 * no file, or a file cannot be parsed, and then nothing is said of types.
 */
function errorsIn(said: string, root: string): ReadonlyMap<string, readonly Found[]> | null {
  const found = new Map<string, Found[]>()
  const texts = new Map<string, readonly string[]>()
  const linesOf = (path: string) => {
    const known = texts.get(path)
    if (known !== undefined) return known
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    texts.set(path, lines)
    return lines
  }
  const lines = said.split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    if (!/(?:^|: )error TS\d+: /.test(line)) continue
    const [, file = '', row = '', column = '', code = '', first = ''] = errorAt.exec(line) ?? []
    if (file === '' || /^TS1\d{3}$/.test(code)) return null
    const path = relative(root, resolve(root, file)).replaceAll('\\', '/')
    const more = lines.slice(at + 1)
    const end = more.findIndex((each) => !each.startsWith('  '))
    const message = messageOf([first, ...more.slice(0, end === -1 ? undefined : end)])
    const key = keyOf(linesOf(path)[Number(row) - 1] ?? '', message)
    const place = { path, line: Number(row), column: Number(column), message, key }
    found.set(path, [...(found.get(path) ?? []), place])
  }
  return found
}

const isOfPackage = (path: string) => /[\\/]node_modules[\\/]/.test(path)

function filesOf(said: string, root: string): readonly string[] {
  const own = ['package.json', 'tsconfig.json'].map((name) => join(root, name)).filter(existsSync)
  return [...own, ...said.split(/\r?\n/).filter((line) => isFile(line) && !isOfPackage(line))]
}

/**
 * What a compiler read of the project, with other texts in some places, in a folder that has the packages of all folders above
 * the project. Answers where the project lies in it.
 */
function copyOf(
  root: string,
  folder: string,
  files: readonly string[],
  texts: Compilation['before'],
): string {
  const placeOf = (path: string) => join(folder, relative(parse(path).root, path))
  const put = (path: string, write: (place: string) => void) => {
    mkdirSync(dirname(placeOf(path)), { recursive: true })
    write(placeOf(path))
  }
  for (let above = root; ; above = dirname(above)) {
    const packages = join(above, 'node_modules')
    if (existsSync(packages)) put(packages, (place) => symlinkSync(packages, place, 'junction'))
    if (above === dirname(above)) break
  }
  const other = new Map(texts.map(([path, text]) => [join(root, path), text]))
  for (const path of files) {
    if (!other.has(path)) put(path, (place) => copyFileSync(path, place))
  }
  for (const [path, text] of other) {
    if (text !== null) put(path, (place) => writeFileSync(place, text))
  }
  return placeOf(root)
}

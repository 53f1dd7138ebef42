/**
 * An installation from a tarball: a folder elsewhere, a package manager, and nothing of the
 * checkout.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { fill, type Texts } from '../write/folder.js'
import { build, checkout } from './project.js'

/** Which is current; `npx` brings it. */
const pnpm = ['npx', '--yes', 'pnpm@12.21.0']

const managers = {
  npm: {
    install: ['npm', 'install', '--no-audit', '--no-fund'],
    script: ['npm', 'run', '--silent'],
    svc: ['npx', '--no', 'svc'],
  },
  pnpm: {
    install: [...pnpm, 'install'],
    script: [...pnpm, 'run', '--silent'],
    svc: [...pnpm, 'exec', 'svc'],
  },
} as const

export type Manager = keyof typeof managers

/** Of ours it has neither variables nor programs, as it would not. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours =
    /^(npm_(package|lifecycle|command|execpath|node)|INIT_CWD|VITEST|TEST|SVC_|NODE_|CI$|DATABASE_)/
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const programs = process.env['PATH']?.split(delimiter) ?? []
  const PATH = programs.filter((folder) => !folder.startsWith(checkout)).join(delimiter)
  // As many compilers as cores for the driver of SQLite.
  return { ...Object.fromEntries(kept), PATH, JOBS: 'max' }
}

type Environment = Readonly<Record<string, string>>

/** A project of this package manager, and what its owner types. */
export function project(root: string, manager: Manager, env: Environment = {}) {
  const options = () => ({ cwd: root, env: { ...cleanEnvironment(), ...env } })
  async function run([command = '', ...words]: readonly string[]) {
    const child = spawn(command, words, { ...options(), stdio: ['ignore', 'pipe', 'pipe'] })
    const code = new Promise<number | null>((resolve) => child.on('close', resolve))
    const said = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: await code, said: said.join('') }
  }
  async function ok(words: readonly string[]): Promise<string> {
    const { code, said } = await run(words)
    expect(code, `${words.join(' ')}\n${said}`).toBe(0)
    return said
  }
  /** What a program says that ends with this code. */
  async function ending(expected: number, words: readonly string[]): Promise<string> {
    const { code, said } = await run(words)
    expect(code, said).toBe(expected)
    return said
  }
  const of = managers[manager]
  const edit = (path: string, from: string | RegExp, to: string) => {
    const before = readFileSync(join(root, path), 'utf8')
    const after = before.replace(from, to)
    expect(after, `${path} has no ${from}`).not.toBe(before)
    fill(root, { [path]: after })
  }
  return {
    root,
    edit,
    write: (texts: Texts) => fill(root, texts),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    svc: (...line: readonly string[]) => ok([...of.svc, ...line]),
    /** Runs a command that ends with this code, and returns its output. */
    failing: (expected: number, ...line: readonly string[]) =>
      ending(expected, [...of.svc, ...line]),
    ending,
    script: (...line: readonly string[]) => ok([...of.script, ...line]),
    /** As docs/project.md says it: pnpm asks once which packages may run scripts. */
    async install(...scripts: readonly string[]) {
      if (manager === 'npm' || existsSync(join(root, 'pnpm-workspace.yaml'))) {
        return void (await ok(of.install))
      }
      expect((await run(of.install)).said).toContain('pnpm approve-builds')
      await ok([...pnpm, 'approve-builds', ...scripts])
    },
    /** Until it is ended it serves; its children, too, are in a group of their own. */
    async serve(words: readonly ['svc' | 'script', string], more: Environment = {}) {
      const [command = '', ...line] = [...of[words[0]], words[1]]
      const all = { ...options().env, ...more }
      const child = spawn(command, line, {
        cwd: root,
        env: all,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      child.stdout.on('data', (chunk) => (said += String(chunk)))
      child.stderr.on('data', (chunk) => (said += String(chunk)))
      const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
      const end = async () => {
        if (child.exitCode === null && child.signalCode === null)
          process.kill(-(child.pid ?? 0), 'SIGINT')
        await ended
      }
      onTestFinished(end)
      const url = () => /listening on (http:\/\/[\d.:]+)/.exec(said)?.[1]
      const gone = ended.then(() => said)
      await Promise.race([expect.poll(url, { timeout: 120_000 }).toBeDefined(), gone])
      const origin = url()
      if (origin === undefined) throw new Error(`It does not serve.\n${said}`)
      return { origin, end }
    },
  }
}

export type Project = ReturnType<typeof project>

/** A folder with the svckit of today as a tarball, and one after it, in which `runtime/errors.ts` has `text` for `before`. */
export function tarballs(before: string, after: string): string {
  build()
  const home = mkdtempSync(join(tmpdir(), 'svc-installed-'))
  const today = join(home, pack(checkout, home))
  const next = unpack(today, join(home, 'next'))
  const [name = ''] = readdirSync(join(next, 'dist')).filter((each) => each.endsWith('.tgz'))
  const runtime = unpack(join(next, 'dist', name), join(home, 'runtime'))
  change(join(next, 'runtime/errors.ts'), before, after)
  change(join(runtime, 'src/errors.ts'), before, after)
  change(join(runtime, 'runtime/errors.js'), before, after)
  for (const folder of [next, join(next, 'runtime'), runtime]) {
    change(join(folder, 'package.json'), '"version": "10.0.0"', '"version": "10.0.1"')
  }
  const hash = /[0-9a-f]{12}/.exec(name)?.[0] ?? ''
  const other = hash.replaceAll(/./g, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16))
  change(join(runtime, 'package.json'), hash, other)
  rmSync(join(next, 'dist', name))
  renameSync(join(home, pack(runtime, home)), join(next, 'dist', name.replace(hash, other)))
  pack(next, home)
  for (const folder of ['next', 'runtime']) rmSync(join(home, folder), { recursive: true })
  return home
}

export function pack(folder: string, to: string): string {
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to]
  return execFileSync('npm', words, { cwd: folder, encoding: 'utf8' }).trim()
}

function unpack(tarball: string, to: string): string {
  mkdirSync(to)
  execFileSync('tar', ['-xzf', tarball], { cwd: to })
  return join(to, 'package')
}

function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  writeFileSync(path, text.replace(from, to))
}

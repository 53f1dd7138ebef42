import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { exitCodes } from '../../../generator/commands/failure.js'
import { pages } from '../../support/pages.js'
import { build, emptyFolder, spawnSvc, svc } from './project.js'

const commands = [
  'adopt',
  'auth',
  'client',
  'describe',
  'dev',
  'diff',
  'doctor',
  'eject',
  'generate',
  'graphql:generate',
  'init',
  'migrate',
  'new',
  'openapi',
  'policies',
  'publish',
  'routes',
  'setup-auth',
  'undo',
  'who',
  'why',
]

/** `svc policies` alone is no command. */
const explained = commands.map((name) => (name === 'policies' ? 'policies diff' : name))

beforeAll(build)

describe('svc --help', () => {
  test('lists the commands and the exit codes, as `svc` alone does', async () => {
    const { code, out } = await svc(emptyFolder(), '--help')
    expect(code).toBe(0)
    const listed = [...out.matchAll(/^ {2}svc ([a-z][\w:-]*)/gm)].map(([, name]) => name)
    expect([...new Set(listed)].filter((name) => name !== 'help').toSorted()).toEqual(commands)
    expect(out).toContain('  70  svc has a bug. Please report it.\n')
    expect((await svc(emptyFolder())).out).toBe(out)
    expect((await svc(emptyFolder(), 'help')).out).toBe(out)
  })

  test('lists each command once, on one line, in one of four groups', async () => {
    const { out } = await svc(emptyFolder(), '--help')
    const groups = [...out.matchAll(/^(\w+)\n\n((?: {2}svc .*\n)+)/gm)]
    expect(groups.map(([, group]) => group)).toEqual(['Start', 'Change', 'Database', 'Inspect'])
    const lines = groups.flatMap(([, , text = '']) => text.trimEnd().split('\n'))
    const names = lines.map((line) => line.slice(6, 27).trim())
    expect(new Set(names).size).toBe(names.length)
    expect([...new Set(names.map((name) => name.split(' ')[0]))].toSorted()).toEqual(commands)
    for (const line of lines) expect(line).toMatch(/^ {2}svc [\w: -]{21} {2}[A-Z].{20,70}[^. ]$/)
  })

  test('exit codes are a table, with those that mean something else in one command', async () => {
    const { out } = await svc(emptyFolder(), '--help')
    const [, table = ''] = out.split('\nExit codes\n\n')
    expect([...table.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => code)).toEqual(
      Object.values(exitCodes).map(String),
    )
    expect(table).toContain('        policies test          a mutant survived\n')
  })

  test('is `svc help <command>`, too', async () => {
    for (const name of ['new', 'migrate save']) {
      const path = name.split(' ')
      const { code, out } = await svc(emptyFolder(), 'help', ...path)
      expect({ code, out }).toEqual({
        code: 0,
        out: (await svc(emptyFolder(), ...path, '--help')).out,
      })
    }
    const { code, errors } = await svc(emptyFolder(), 'help', 'nwe')
    expect(code).toBe(1)
    expect(errors).toContain("there is no command 'svc nwe'")
  })

  test.each(explained)('%s explains itself', async (name) => {
    const { code, out } = await svc(emptyFolder(), ...name.split(' '), '--help')
    expect(code).toBe(0)
    expect(out).toContain(`$ svc ${name}`)
    expect(out).not.toContain('#0')
    // Every option's sentence begins in the same column.
    const [, options = ''] = /^Options\n\n([\s\S]*?)(?:\n\n|$)/m.exec(out) ?? []
    const columns = [...options.matchAll(/^ {2}-.*? {3,}/gm)].map(([start]) => start.length)
    expect(new Set(columns).size).toBe(columns.length === 0 ? 0 : 1)
  })

  test.each([...explained, 'migrate save', 'migrate deploy', 'migrate status', 'svc:auth'])(
    '%s explains itself wherever the flag stands',
    async (name) => {
      const path = name.split(' ')
      const { out } = await svc(emptyFolder(), ...path, '--help')
      for (const line of [
        ['shop', '--help'],
        ['-h'],
        ['a', '--force', '-h', 'b'],
        ['--x', '--help'],
      ]) {
        expect(await svc(emptyFolder(), ...path, ...line)).toEqual({ code: 0, out, errors: '' })
      }
      expect(await svc(emptyFolder(), '--help', ...path)).toEqual({ code: 0, out, errors: '' })
    },
  )

  test('of a command that does not exist names those that do', async () => {
    const { code, errors } = await svc(emptyFolder(), 'nwe', 'shop', '--help')
    expect(code).toBe(1)
    expect(errors).toContain("there is no command 'svc nwe'")
    expect(errors).toContain('fix    svc new shop')
  })

  test('names the values of an option', async () => {
    expect((await svc(emptyFolder(), 'new', '--help')).out).toContain(
      '--database sqlite|postgresql',
    )
    for (const name of explained) {
      expect((await svc(emptyFolder(), ...name.split(' '), '--help')).out).not.toContain('#0')
    }
  })

  test('names the options that the page of commands has, and no others', async () => {
    const page = pages().get('docs/commands.md') ?? ''
    const rows = [...page.matchAll(/^\| `svc ([^`]+)` \|/gm)].map(([, row = '']) => row)
    const named = rows.map((row) => ({
      name: /^[\w:-]+( (save|deploy|status|runtime|diff|test))?/.exec(row)?.[0] ?? '',
      options: row.match(/--[\w-]+/g) ?? [],
    }))
    expect([...new Set(named.map(({ name }) => name.split(' ')[0]))].toSorted()).toEqual(commands)
    for (const { name, options } of named) {
      const { out } = await svc(emptyFolder(), ...name.split(' '), '--help')
      const known = [...out.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option)
      expect([...options].toSorted(), name).toEqual(known.toSorted())
    }
  })

  test('is quick: nothing is loaded that help does not need', async () => {
    const folder = emptyFolder()
    vi.stubEnv('NODE_V8_COVERAGE', join(folder, 'loaded'))
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await spawnSvc(folder, '--help')).code).toBe(0)
    const modules = readdirSync(join(folder, 'loaded'))
      .map((name) => readFileSync(join(folder, 'loaded', name), 'utf8'))
      .flatMap((text) => [...text.matchAll(/"url":"(file:[^"]+)"/g)].map(([, url]) => url ?? ''))
    expect(modules.some((url) => url.endsWith('dist/svc/cli.js'))).toBe(true)
    const packages = modules.flatMap((url) => url.match(/(?<=node_modules\/)[^/]+/) ?? [])
    expect([...new Set(packages)]).toEqual(['clipanion'])
    // The commands, and what says their names.
    const own = modules.filter((url) => url.includes('/dist/svc/'))
    const sizes = own.map((url) => statSync(fileURLToPath(url)).size)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(62_000)
  })
})

test('svc --version says the version', async () => {
  expect((await spawnSvc(emptyFolder(), '--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a command that does not exist is said on stderr, with those that do', async () => {
  const { code, out, errors } = await spawnSvc(emptyFolder(), 'genrate', '--check')
  expect(code).toBe(1)
  expect(out).toBe('')
  expect(errors).toBe(`there is no command 'svc genrate'
  known  ${commands.join(', ')}
  fix    svc generate --check
\`svc <command> --help\` says more.
`)
})

test('an option that does not exist is answered with those that do, the nearest one first', async () => {
  const { code, out, errors } = await spawnSvc(emptyFolder(), 'generate', '--chek', '--json')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(errors).toBe(`svc generate has no option '--chek'
  known  --check, --client, --conflicts, --dry-run, --fill, --force, --help, --json, --no-compile, --watch
  fix    svc generate --check --json
\`svc <command> --help\` says more.
`)
  const { errors: ofTwo } = await svc(emptyFolder(), 'migrate', 'status', '--jsn=1')
  expect(ofTwo).toContain("svc migrate status has no option '--jsn'\n  known  --help, --json\n")
  const { errors: below } = await svc(emptyFolder(), 'migrate', 'sve')
  expect(below).toContain(
    "there is no command 'svc migrate sve'\n  known  deploy, save, status\n  fix    svc migrate save\n",
  )
  const { errors: alone } = await svc(emptyFolder(), '--versoin')
  expect(alone).toContain("svc has no option '--versoin'\n  known  --help, --version\n")
})

test.each([
  [
    ['migrate', 'save'],
    /^an argument is missing in 'svc migrate save'\n {2}usage {2}svc migrate save .*<name>\n/,
  ],
  [
    ['new', 'one', 'two'],
    /^'svc new one two' has wrong arguments\n {2}usage {2}svc new .*\[dir\]\n/,
  ],
  [['openapi'], /^'svc openapi' has wrong arguments\n {2}usage {2}svc openapi .*<old\.json>/],
])('too few or too many words are answered with the usage: svc %s', async (line, expected) => {
  const { code, errors } = await svc(emptyFolder(), ...line)
  expect(code).toBe(1)
  expect(errors).toMatch(expected)
})

test.each([
  ['generate', 'everything'],
  ['generate', '--conflicts'],
  ['new', 'one', 'two'],
])('what is wrong with %s %s is said with the values that options take', async (...line) => {
  const { code, errors } = await svc(emptyFolder(), ...line)
  expect(code).toBe(1)
  expect(errors).not.toContain('#0')
})

test('a value that does not exist is answered with those that do, and little else', async () => {
  const { code, errors } = await svc(emptyFolder(), 'new', 'shop', '--database', 'mysql')
  expect(code).toBe(1)
  expect(errors).toBe(
    '--database is one of: sqlite, postgresql.\n`svc <command> --help` says more.\n',
  )
})

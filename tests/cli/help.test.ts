import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, checkout, compiled, emptyFolder, spawnSvc, svc } from './project.js'

const commands = [
  'adopt',
  'auth',
  'dev',
  'diff',
  'doctor',
  'eject',
  'generate',
  'graphql:generate',
  'migrate',
  'new',
  'publish',
  'routes',
  'setup-auth',
  'undo',
]

beforeAll(build)

const moduleOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`

describe('svc --help', () => {
  test('lists the commands and the exit codes, as `svc` alone does', async () => {
    const { code, out } = await svc(emptyFolder(), '--help')
    expect(code).toBe(0)
    const listed = [...out.matchAll(/^ {2}svc (\S+)/gm)].map(([, name]) => name)
    expect([...new Set(listed)]).toEqual(commands)
    expect(out).toContain('  70  a bug in svc\n')
    expect((await svc(emptyFolder())).out).toBe(out)
  })

  test.each(commands)('%s explains itself', async (name) => {
    const { code, out } = await svc(emptyFolder(), name, '--help')
    expect(code).toBe(0)
    expect(out).toContain(`$ svc ${name}`)
  })

  test('names the values of an option', async () => {
    expect((await svc(emptyFolder(), 'new', '--help')).out).toContain(
      '--database sqlite|postgresql',
    )
    for (const name of commands) {
      expect((await svc(emptyFolder(), name, '--help')).out).not.toContain('#0')
    }
  })

  test('names the options that the README has, and no others', async () => {
    const readme = readFileSync(join(checkout, 'README.md'), 'utf8')
    const rows = [...readme.matchAll(/^\| `svc ([^`]+)` \|/gm)].map(([, row = '']) => row)
    const named = rows.map((row) => ({
      name: /^[\w:-]+( (save|deploy|status))?/.exec(row)?.[0] ?? '',
      options: row.match(/--[\w-]+/g) ?? [],
    }))
    expect([...new Set(named.map(({ name }) => name.split(' ')[0]))].sort()).toEqual(commands)
    for (const { name, options } of named) {
      const { out } = await svc(emptyFolder(), ...name.split(' '), '--help')
      const known = [...out.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option)
      expect([...options].sort(), name).toEqual(known.sort())
    }
  })

  test('loads next to nothing, so that it answers at once', () => {
    build()
    const print = `import { writeSync } from 'node:fs'
      export const load = (url, context, next) => (writeSync(2, url + '\\n'), next(url, context))`
    const start = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(print))})`
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', moduleOf(start), compiled, '--help'],
      { encoding: 'utf8' },
    )
    expect(stdout).toContain('svc generate')
    const packages = [...stderr.matchAll(/\/node_modules\/([^/]+)/g)].map(([, name]) => name)
    expect([...new Set(packages)]).toEqual(['clipanion'])
    expect(stderr).toContain('/dist/commands/help.js')
  })
})

test('svc --version says the version', async () => {
  expect((await spawnSvc(emptyFolder(), '--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a command that does not exist is said on stderr, with those that do', async () => {
  const { code, out, errors } = await spawnSvc(emptyFolder(), 'genrate')
  expect(code).toBe(1)
  expect(out).toBe('')
  expect(errors).toContain('svc generate')
})

test('a value that does not exist is answered with those that do, and little else', async () => {
  const { code, errors } = await svc(emptyFolder(), 'new', 'shop', '--database', 'mysql')
  expect(code).toBe(1)
  expect(errors).toBe(
    '--database is one of: sqlite, postgresql.\n`svc <command> --help` says more.\n',
  )
})

/** What a project installs: exact versions, licences that nobody has to ask a lawyer about, no script that need not run. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './plan/fixture.js'

interface Locked {
  readonly version: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const locked: Readonly<Record<string, Locked>> = read('package-lock.json').packages
const ours: Manifest = read('package.json')
const emitted: Manifest = read('fixtures/blog/expected/package.json')

/** Where Node finds a package that the one at `from` imports; undefined: an optional one of another system. */
function placeOf(name: string, from: string): string | undefined {
  const place = `${from}${from === '' ? '' : '/'}node_modules/${name}`
  if (locked[place] !== undefined) return place
  return from === ''
    ? undefined
    : placeOf(name, from.slice(0, from.lastIndexOf('node_modules/')).replace(/\/$/, ''))
}

/** The packages, with all that they bring along. */
function closureOf(names: readonly string[]): readonly (readonly [name: string, Locked])[] {
  const places = new Set<string>()
  const visit = (name: string, from: string): void => {
    const place = placeOf(name, from)
    if (place === undefined || places.has(place)) return
    places.add(place)
    const { dependencies, optionalDependencies } = locked[place] ?? {}
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(each, place)
  }
  for (const name of names) visit(name, '')
  return [...places].map((place) => [
    place.replace(/^.*node_modules\//, ''),
    locked[place] as Locked, // it was found there
  ])
}

const inProduction = closureOf(Object.keys(emitted.dependencies))
// svckit is what this repository is.
const inDevelopment = closureOf([
  ...Object.keys(emitted.devDependencies).filter((name) => name !== 'svckit'),
  ...Object.keys(ours.dependencies),
])

describe('an emitted project', () => {
  test('names every package that its files import', () => {
    const folder = join(root, 'fixtures/blog/expected')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const code = files.filter((path) => /\.[jt]s$/.test(path) && !path.startsWith('manifest'))
    const statement = /^(?:import|export)\b(?:[^'"`;=(]*\bfrom)? '([@a-z][^']*)'/gm
    const imported = code.flatMap((path) =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(statement)].map(
        ([, name = '']) => name,
      ),
    )
    const packages = imported
      .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
      .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    const named = Object.keys({ ...emitted.dependencies, ...emitted.devDependencies })
    const foreign = new Set(packages.filter((name) => !named.includes(name)))
    expect(packages).toContain('hono')
    expect([...foreign]).toEqual([])
  })

  test("leads to Prisma's command line in the version of its client, for it is not installed", () => {
    expect(emitted.devDependencies['prisma']).toBeUndefined()
    const version = `prisma@${emitted.dependencies['@prisma/client']}`
    const folders = ['docs', 'generator', 'prisma', 'runtime', 'templates']
    const texts = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(md|ts|hbs|txt)$/.test(entry.name))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    )
    const named = texts.flatMap((text) => text.match(/npx (--\S+ )?prisma\b[^ ]*/g) ?? [])
    const others = named.filter((words) => !words.endsWith(version) && !words.includes('${version'))
    expect(named.length).toBeGreaterThan(5)
    expect(others).toEqual([])
  })

  test('names the versions that are tested here', () => {
    const { svckit: _, ...tools } = emitted.devDependencies
    const versions = Object.entries({ ...emitted.dependencies, ...tools })
    const tested = versions.map(([name]) => [name, locked[`node_modules/${name}`]?.version])
    expect(versions).toEqual(tested)
  })

  test('runs packages under licences that ask for no more than their text', () => {
    const free = /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense)$/
    const others = inProduction
      .filter(([, { license = 'none' }]) => !free.test(license))
      .map(([name, { license }]) => `${name}: ${license}`)
    expect(others).toEqual([
      'expand-template: (MIT OR WTFPL)',
      'rc: (BSD-2-Clause OR MIT OR Apache-2.0)',
    ])
  })

  test('runs the install scripts that must run, and says so of each', () => {
    const scripts = (closure: typeof inProduction) =>
      [
        ...new Set(
          closure.flatMap(([name, { hasInstallScript }]) => (hasInstallScript ? [name] : [])),
        ),
      ].toSorted()
    expect(scripts(inProduction)).toEqual(['better-sqlite3'])
    const all = scripts([...inProduction, ...inDevelopment])
    expect(Object.keys(emitted.allowScripts ?? {}).toSorted()).toEqual(all)
  })
})

test('svckit has exact versions, and a list of what is in it', () => {
  const versions = Object.values({ ...ours.dependencies, ...ours.devDependencies })
  expect(versions.filter((version) => !/^(npm:\S+@)?\d+\.\d+\.\d+\S*$/.test(version))).toEqual([])
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 50_000_000, stdio: 'pipe' } as const
  const { components } = JSON.parse(execFileSync('npm', words, options))
  const named = new Set(components.map(({ name }: { name: string }) => name))
  expect(Object.keys(ours.dependencies).filter((name) => !named.has(name))).toEqual([])
})

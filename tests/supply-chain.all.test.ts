/** What a project installs: exact versions, licences that nobody has to ask a lawyer about, no script that need not run. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { build } from './core/cli/project.js'
import { root } from './core/plan/fixture.js'

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
  readonly optionalDependencies?: Readonly<Record<string, string>>
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

/** Where the packages lie, and all that they bring along. */
function placesOf(names: readonly string[]): readonly string[] {
  const places = new Set<string>()
  const visit = (name: string, from: string): void => {
    const place = placeOf(name, from)
    if (place === undefined || places.has(place)) return
    places.add(place)
    const { dependencies, optionalDependencies } = locked[place] ?? {}
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(each, place)
  }
  for (const name of names) visit(name, '')
  return [...places]
}

/** The packages, with all that they bring along. */
function closureOf(names: readonly string[]): readonly (readonly [name: string, Locked])[] {
  return placesOf(names).map((place) => [
    place.replace(/^.*node_modules\//, ''),
    locked[place] as Locked, // it was found there
  ])
}

/** Asks for no more than that its text is kept. */
const free = /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense)$/

// The package of the runtime is made of this repository, too.
const { dependencies: ofRuntime }: Manifest = read('runtime/package.json')
const inProduction = closureOf(Object.keys({ ...emitted.dependencies, ...ofRuntime }))
// svckit is what this repository is.
const forDevelopment = [
  ...Object.keys(emitted.devDependencies).filter((name) => name !== 'svckit'),
  ...Object.keys(ours.dependencies),
]
const inDevelopment = closureOf(forDevelopment)

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

  test('runs svc only where it is installed: elsewhere npx would offer a foreign package of that name', () => {
    const folders = ['docs', 'fixtures', 'generator', 'prisma', 'runtime', 'templates']
    const paths = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(md|ts|hbs|js|txt)$/.test(path))
        .map((path) => `${folder}/${path}`),
    )
    const downloading = ['README.md', ...paths].filter((path) =>
      /npx svc\b/.test(readFileSync(join(root, path), 'utf8')),
    )
    expect(downloading).toEqual([])
  })

  test('names the versions that are tested here', () => {
    const { svckit: _, ...tools } = emitted.devDependencies
    const { 'svckit-runtime': runtime, ...packages } = emitted.dependencies
    expect(runtime).toBe(locked['']?.version)
    const versions = Object.entries({ ...packages, ...tools })
    const tested = versions.map(([name]) => [name, locked[`node_modules/${name}`]?.version])
    expect(versions).toEqual(tested)
  })

  test('runs packages under licences that ask for no more than their text', () => {
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
  const { components } = JSON.parse(
    npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'),
  )
  const named = new Set(components.map(({ name }: { name: string }) => name))
  expect(Object.keys(ours.dependencies).filter((name) => !named.has(name))).toEqual([])
})

describe('svckit as it is published', () => {
  beforeAll(build)

  test('brings the licences of what is packed into it, which ask for no more than their text', () => {
    const text = readFileSync(join(root, 'dist/libraries/LICENSES.txt'), 'utf8')
    const packed = [...text.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*): (.+)$/gm)]
    const names = packed.map(([, name]) => name)
    expect(names).toEqual(
      expect.arrayContaining(['@prisma/internals', '@ts-morph/common', 'graphiql', 'react']),
    )
    const others = packed
      .filter(([, , , license = '']) => !free.test(license))
      .map(([line]) => line)
    // It reads the words of a command line that GraphiQL does not have.
    expect(others).toEqual(['argparse 2.0.1: Python-2.0'])
  })

  test('makes 255 MB of packages of the blog, with all tools and both drivers of SQLite', () => {
    const names = Object.keys({ ...emitted.dependencies, ...emitted.optionalDependencies })
    // Binaries for other systems are not on this disk.
    const folders = placesOf([...names, ...forDevelopment])
      .map((place) => join(root, place))
      .filter((folder) => existsSync(folder))
    const [packed] = JSON.parse(npm('pack', '--dry-run', '--ignore-scripts', '--json'))
    const sizes = new Map(folders.flatMap(filesOf))
    const own = packed.files.map(({ size }: { size: number }) => Math.ceil(size / 4096) * 4096)
    const bytes = [...sizes.values(), ...own].reduce((sum, size) => sum + size, 0)
    expect(bytes / 2 ** 20).toBeGreaterThan(200)
    expect(bytes / 2 ** 20).toBeLessThan(255)
  })
})

test('the image of the blog has 60 MB of packages, with both drivers of SQLite', () => {
  const image = mkdtempSync(join(tmpdir(), 'svc-image-'))
  onTestFinished(() => rmSync(image, { recursive: true, force: true }))
  const names = Object.keys({ ...emitted.dependencies, ...emitted.optionalDependencies })
  for (const place of placesOf(names).filter((each) => existsSync(join(root, each)))) {
    cpSync(join(root, place), join(image, place), { recursive: true })
  }
  const dockerfile = readFileSync(join(root, 'fixtures/blog/expected/Dockerfile'), 'utf8')
  const command = /^RUN (find [\s\S]*?)\n\n/m.exec(dockerfile)?.[1] ?? ''
  expect(spawnSync('sh', ['-c', command], { cwd: image }).status).toBe(0)
  const packages = readdirSync(image, { recursive: true, encoding: 'utf8' })
  const bytes = packages.reduce((sum, path) => sum + lstatSync(join(image, path)).blocks * 512, 0)
  expect(bytes / 2 ** 20).toBeGreaterThan(30)
  expect(bytes / 2 ** 20).toBeLessThan(60)
})

/**
 * What each file and folder of a package takes of the disk, by its inode: some have two names. Left out are packages inside it,
 * which count for themselves, and what a compiler leaves behind, which is only there where no binary was found.
 */
function filesOf(path: string): readonly (readonly [inode: number, bytes: number])[] {
  const stats = lstatSync(path)
  const inside = stats.isDirectory() ? readdirSync(path).filter((name) => !unasked.test(name)) : []
  return [[stats.ino, stats.blocks * 512], ...inside.flatMap((name) => filesOf(join(path, name)))]
}

const unasked = /^(node_modules|obj|obj\.target)$|\.a$/

const npm = (...words: readonly string[]) =>
  execFileSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 50_000_000, stdio: 'pipe' })

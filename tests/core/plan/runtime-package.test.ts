import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './fixture.js'

/** `runtime/` as a package: what it says of itself, and what it asks for. */
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const ours = read('package.json')
const runtime = read('runtime/package.json')

const sources = readdirSync(join(root, 'runtime'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(root, 'runtime', path), 'utf8'))

/** Packages that it names in an import, a type of one, or a `require`. */
const imported = new Set(
  sources
    .flatMap((text) => [
      ...text.matchAll(/\b(?:from|import\(|require\(|resolve\()\s*\(?'([@a-z][^':]*)'/g),
    ])
    .map(([, name = '']) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    .filter((name) => !builtinModules.includes(name)),
)
// It runs threads of the sources, which the package has compiled.
imported.delete('tsx')

/** Their types, which the declarations of the runtime speak of, are packages of their own. */
const types = ['@types/better-sqlite3', '@types/node', '@types/pg']

test('the package of the runtime has the version of svckit, and its packages in the versions that are tested here', () => {
  expect(runtime.version).toBe(ours.version)
  expect(runtime.engines).toEqual(ours.engines)
  const tested = (name: string) => ours.devDependencies[name].replace(/^npm:[^@]+@/, '')
  for (const [name, version] of Object.entries(runtime.dependencies)) {
    expect([name, version]).toEqual([name, tested(name)])
  }
  for (const [name, range] of Object.entries(runtime.peerDependencies)) {
    const wanted = name === '@types/node' ? '>=20' : `^${tested(name)}`
    expect([name, range]).toEqual([name, wanted])
  }
})

test('the package of the runtime names what its files import, and nothing else', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = runtime
  const named = Object.keys({ ...dependencies, ...peerDependencies })
  expect(named.toSorted()).toEqual([...imported, ...types].toSorted())
  // Every server has these; the others come with what a project has.
  const optional = Object.keys(peerDependenciesMeta)
  const always = Object.keys(peerDependencies).filter((name) => !optional.includes(name))
  expect(always.toSorted()).toEqual(['@hono/node-server', 'hono', 'kysely', 'zod'])
})

/** Lists the paths that svc emits and that the pages show: owners import them too. */
function pathsShown(): readonly string[] {
  const texts = [
    'templates',
    'docs',
    'generator',
    'fixtures/blog',
    'fixtures/shop',
    'fixtures/team',
  ]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => /\.(hbs|md|ts)$/.test(path))
    .concat('README.md')
  const found = texts.flatMap((path) => [
    ...readFileSync(join(root, path), 'utf8').matchAll(/#runtime\/([\w/-]+)\.js/g),
  ])
  return found.map(([, path = '']) => path)
}

test('a path that owners may import leads to a file, or to where it went for one major version', () => {
  const golden = join(root, 'fixtures/runtime-paths.txt')
  const listed = readFileSync(golden, 'utf8').trim().split('\n')
  const all = [...new Set([...listed, ...pathsShown()])].toSorted()
  if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(golden, `${all.join('\n')}\n`)
  expect(readFileSync(golden, 'utf8')).toBe(`${all.join('\n')}\n`)
  const leads = (path: string) => {
    const alias: unknown = runtime.exports[`./${path}.js`] ?? `./runtime/${path}.js`
    return existsSync(join(root, String(alias).replace(/\.js$/, '.ts')))
  }
  // A removed path stays in the list, and gets a line of `exports` in runtime/package.json:
  // "./old.js": "./runtime/new.js".
  expect(all.filter((path) => !leads(path))).toEqual([])
})

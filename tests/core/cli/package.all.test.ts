import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { fill } from '../write/folder.js'
import { build, checkout, emptyFolder } from './project.js'

beforeAll(build)

const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))

/** Where each manager notes what it installed a package from. */
const npmNote = JSON.stringify({
  packages: { 'node_modules/svckit': { resolved: 'file:svckit.tgz' } },
})
const pnpmNote = `packages:

  svckit@file:svckit.tgz:
    resolution: {integrity: sha512-x, tarball: file:svckit.tgz}

snapshots:

  svckit@file:svckit.tgz(x@1.0.0):
    dependencies: {}
`

/** Of fixtures, only what examples are. */
const isPacked = (path: string) => !path.includes('expected')

/** Itself; what TypeScript takes only where it is installed; and esbuild's own name for its helpers. */
const unneeded = ['svckit', 'source-map-support', '<runtime>']

/** The packages that files of `dist/svc` import, those that they import among them. */
function packagesIn(entryPoints: readonly string[]): readonly string[] {
  const { metafile } = buildSync({
    entryPoints: [...entryPoints],
    absWorkingDir: join(checkout, 'dist/svc'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
  })
  const names = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external }) => external === true)
    .map(({ path }) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  return names.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
}

test('everything the generator imports is a dependency of svckit', () => {
  const own = packagesIn([
    'cli.js',
    'client-process.js',
    'compile-worker.js',
    'demo.js',
    'document-worker.js',
    'index.js',
    'listen.js',
    'prisma-client.js',
    ...readdirSync(join(checkout, 'dist/libraries'))
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => `../libraries/${name}`),
  ])
  const missing = own.filter(
    (name) => manifest.dependencies[name] === undefined && !unneeded.includes(name),
  )
  expect(own).toContain('clipanion')
  expect([...new Set(missing)]).toEqual([])
})

/** Of its own code, what svc puts into a script that runs in the project's folder: `svc:<name>` in the source. */
function entriesInProjects(): readonly string[] {
  const folder = join(checkout, 'generator')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => name.endsWith('.ts'))
  return sources.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/from 'svc:([\w-]+)'/g)].map(
      ([, entry = '']) => `${entry}.js`,
    ),
  )
}

test('what svc runs in a folder of a project imports no package, for a project has none of those of svckit', () => {
  const entryPoints = entriesInProjects()
  expect(entryPoints).toEqual(['database-process.js'])
  expect(packagesIn(entryPoints)).toEqual([])
})

/**
 * A project gets this of the runtime: code, its declarations, and maps that lead to the TypeScript.
 */
test('the tarball of the runtime has all of it compiled, and the sources that its maps lead to', () => {
  const folder = emptyFolder()
  const [tarball = ''] = readdirSync(join(checkout, 'dist')).filter((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['-xzf', join(checkout, 'dist', tarball)], { cwd: folder })
  const home = join(folder, 'package')
  const filesIn = (path: string, ends: RegExp) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => ends.test(name))
      .map((name) => name.replaceAll('\\', '/').replace(ends, ''))
      .toSorted()
  const sources = filesIn(join(checkout, 'runtime'), /\.ts$/)
  expect(sources.length).toBeGreaterThan(100)
  for (const ending of [/\.js$/, /\.js\.map$/, /\.d\.ts$/, /\.d\.ts\.map$/]) {
    const made = filesIn(join(home, 'runtime'), ending)
    expect(made.filter((name) => !name.includes('/page/'))).toEqual(sources)
  }
  const page = 'runtime/features/docs/page'
  expect(readdirSync(join(home, page))).toEqual(readdirSync(join(checkout, page)))
  for (const name of sources) {
    const source = readFileSync(join(home, 'src', `${name}.ts`), 'utf8')
    expect(source).toBe(readFileSync(join(checkout, 'runtime', `${name}.ts`), 'utf8'))
    for (const map of [`${name}.js.map`, `${name}.d.ts.map`]) {
      const path = join(home, 'runtime', map)
      const { sources } = JSON.parse(readFileSync(path, 'utf8'))
      expect(sources.map((each: string) => join(dirname(path), each))).toEqual([
        join(home, 'src', `${name}.ts`),
      ])
    }
  }
  expect(readdirSync(home).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'runtime',
    'src',
  ])
})

test('the tarball of npm pack makes a project in an empty folder elsewhere', () => {
  const folder = emptyFolder()
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const packed = execFileSync(
    npm,
    ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
    {
      cwd: checkout,
      encoding: 'utf8',
    },
  )
  execFileSync('tar', ['-xzf', packed.trim()], { cwd: folder })
  const home = install(folder)
  const run = (cwd: string, ...line: string[]) =>
    execFileSync(process.execPath, [join(home, 'dist/cli.js'), ...line], {
      cwd,
      encoding: 'utf8',
    })
  expect(run(folder, 'new', 'blog', '--example=blog')).toContain('Done: ')
  expect(run(join(folder, 'blog'), 'generate', '--check')).toMatch(
    /^Nothing written: \d+ unchanged/,
  )
  const inside = readdirSync(home).toSorted()
  expect(
    inside.filter((name) => ['generator', 'tests', 'demo', 'node_modules'].includes(name)),
  ).toEqual([])
  expect(readdirSync(join(home, 'fixtures'))).toEqual(['blog', 'shop', 'team'])
  expect(readdirSync(join(home, 'fixtures/blog'))).not.toContain('expected')
  // Tools read the `exports` of a package.json in any folder, and those of the runtime lead to files of its own package.
  expect(readdirSync(join(home, 'runtime'))).not.toContain('package.json')
  const { './package.json': itself, ...entries } = manifest.exports
  expect(itself).toBe('./package.json')
  for (const [entry, targets] of Object.entries<Record<string, string>>(entries)) {
    expect(Object.keys(targets), entry).toEqual(['types', 'default'])
    for (const target of Object.values(targets)) expect(existsSync(join(home, target))).toBe(true)
  }
})

test.each([
  ['npm', 'node_modules', 'node_modules/.package-lock.json', npmNote],
  [
    'pnpm',
    'node_modules/.pnpm/svckit@file+svckit.tgz_x@1/node_modules',
    'node_modules/.pnpm/lock.yaml',
    pnpmNote,
  ],
] as const)(
  'a project asks for the tarball that %s installed svckit from',
  (_, modules, path, note) => {
    const folder = realpathSync(emptyFolder())
    const home = join(folder, modules, 'svckit')
    mkdirSync(home, { recursive: true })
    for (const name of ['package.json', 'dist', 'templates', 'runtime', 'prisma', 'fixtures']) {
      cpSync(join(checkout, name), join(home, name), { recursive: true, filter: isPacked })
    }
    symlinkSync(join(checkout, 'node_modules'), join(home, 'node_modules'), 'junction')
    fill(folder, { [path]: note })
    execFileSync(process.execPath, [join(home, 'dist/cli.js'), 'new', 'shop'], { cwd: folder })
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'shop/package.json'), 'utf8'))
    expect(devDependencies.svckit).toBe('file:../svckit.tgz')
  },
)

/** As npm would install it, with the checkout's copies of its dependencies and of theirs. */
function install(folder: string): string {
  const modules = join(folder, 'node_modules')
  const home = join(modules, 'svckit')
  mkdirSync(modules)
  renameSync(join(folder, 'package'), home)
  const given = join(checkout, 'node_modules')
  const names = readdirSync(given).filter((name) => !name.startsWith('.'))
  const scoped = names.filter((name) => name.startsWith('@'))
  const inScopes = scoped.flatMap((scope) =>
    readdirSync(join(given, scope)).map((name) => `${scope}/${name}`),
  )
  for (const name of [...names.filter((name) => !name.startsWith('@')), ...inScopes]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    if (name !== 'svckit') symlinkSync(join(given, name), join(modules, name), 'junction')
  }
  return home
}

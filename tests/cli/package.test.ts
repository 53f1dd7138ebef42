import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { build, checkout, emptyFolder } from './project.js'

beforeAll(build)

const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))

/** Itself; what TypeScript takes only where it is installed; and esbuild's own name for its helpers. */
const unneeded = ['svckit', 'source-map-support', '<runtime>']

test('everything the generator imports is a dependency of svckit', () => {
  const folder = join(checkout, 'dist/svc')
  const { metafile } = buildSync({
    entryPoints: [
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
    ],
    absWorkingDir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
  })
  const imported = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external }) => external === true)
    .map(({ path }) => path)
  const packages = imported.map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  )
  const own = packages.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
  const missing = own.filter(
    (name) => manifest.dependencies[name] === undefined && !unneeded.includes(name),
  )
  expect(own).toContain('clipanion')
  expect([...new Set(missing)]).toEqual([])
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
})

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

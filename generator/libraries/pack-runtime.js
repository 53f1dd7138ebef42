import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
/**
 * A step of the build: makes the package `svckit-runtime` of `runtime/`, and its tarball, which svckit carries under a name
 * that says what it was made of. In it are
 *
 *     runtime/   .js, .d.ts and their maps, and what browsers read
 *     src/       the TypeScript that the maps lead to: by a path of its own, or it would be type-checked in every project
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const source = join(root, 'runtime')
const home = join(root, 'dist/svckit-runtime')

const compiler = join(root, 'node_modules/typescript')
const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(ts|js|css|html|svg|json|md)$/.test(path))
  .toSorted()
const contents = hashOf([
  ...files.map((path) => join(source, path)),
  join(root, 'tsconfig.json'),
  join(compiler, 'package.json'),
  fileURLToPath(import.meta.url),
])

const tarball = join(root, `dist/svckit-runtime-${contents}.tgz`)

const compiling = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    ...{ noEmit: false, declaration: true, declarationMap: true, sourceMap: true },
    ...{ rootDir: 'src', outDir: 'runtime' },
  },
  include: ['src'],
}

if (!isMade()) make()
install()

/** Compiling takes a third of the build, and most builds change nothing here. */
function isMade() {
  const made = join(home, 'package.json')
  if (!existsSync(made) || !existsSync(tarball)) return false
  return JSON.parse(readFileSync(made, 'utf8')).contents === contents
}

/** In a folder of its own, which then takes the place of the one before: two builds at a time make no half of it. */
function make() {
  const made = join(root, `dist/svckit-runtime.${process.pid}`)
  for (const path of files) {
    if (path.endsWith('.ts')) cpSync(join(source, path), join(made, 'src', path))
    if (path.includes('/page/')) cpSync(join(source, path), join(made, 'runtime', path))
  }
  const project = join(made, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(compiling))
  run(made, process.execPath, [join(compiler, 'bin/tsc'), '-p', project])
  rmSync(project)
  cpSync(join(source, 'README.md'), join(made, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(made, 'LICENSE'))
  const text = JSON.stringify({ ...manifest, contents }, null, 2)
  writeFileSync(join(made, 'package.json'), `${text}\n`)
  pack(made)
  rmSync(home, { recursive: true, force: true })
  try {
    renameSync(made, home)
  } catch (error) {
    // Another build was faster, and made the same.
    rmSync(made, { recursive: true, force: true })
    if (!isMade()) throw error
  }
}

/** Before the others go: there is one at any time. */
function pack(made) {
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', made]
  renameSync(join(made, run(made, 'npm', words).trim()), tarball)
  const dist = join(root, 'dist')
  const isOther = (name) => /^svckit-runtime.*\.tgz$/.test(name) && join(dist, name) !== tarball
  for (const name of readdirSync(dist).filter(isOther)) rmSync(join(dist, name), { force: true })
}

/**
 * What the tests and the demo emit finds its packages in the checkout's own folder. A copy, as npm installs one: of a linked
 * package Node says another path, outside of node_modules, and Vitest transforms what is there, in every project once more.
 */
function install() {
  const place = join(root, 'node_modules/svckit-runtime')
  if (!existsSync(dirname(place)) || isInstalled(place)) return
  const copy = join(root, `node_modules/.svckit-runtime.${process.pid}`)
  cpSync(home, copy, { recursive: true })
  rmSync(place, { recursive: true, force: true })
  try {
    renameSync(copy, place)
  } catch (error) {
    // As above.
    rmSync(copy, { recursive: true, force: true })
    if (!isInstalled(place)) throw error
  }
}

function isInstalled(place) {
  if (!existsSync(place) || lstatSync(place).isSymbolicLink()) return false
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')).contents === contents
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path.slice(root.length)).update(readFileSync(path))
  return hash.digest('hex').slice(0, 12)
}

function run(cwd, command, words) {
  // On Windows npm is a script.
  const options = {
    cwd,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
  }
  return execFileSync(command, words, options)
}

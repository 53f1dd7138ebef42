/** Projects far from the checkout: no folder above them has packages, and they have those that they ask for and no others. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fill } from '../write/folder.js'
import { pack } from './installed.js'
import { build, checkout } from './project.js'

type Packages = Readonly<Record<string, string>>

interface PackageJson {
  readonly bin?: Packages | string
  readonly dependencies?: Packages
  readonly devDependencies?: Packages
  readonly optionalDependencies?: Packages
  readonly peerDependencies?: Packages
}

const packageJson = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The checkout, as `npm install` links it. */
export function linkedSvckit(): string {
  build()
  return checkout.replace(/\/$/, '')
}

/** The svckit that `npm pack` makes, unpacked beside the packages that it asks for. */
export function packedSvckit(home: string): string {
  build()
  const tarball = pack(checkout, home)
  // So npm notes where it was installed from; svc asks for the same in the project.
  const note = { packages: { 'node_modules/svckit': { resolved: `file:../${tarball}` } } }
  fill(home, { 'tool/node_modules/.package-lock.json': JSON.stringify(note) })
  return unpackedBeside(join(home, tarball), join(home, 'tool'), 'svckit')
}

/** Lays out the packages that a project asks for as strictly as pnpm does: none of them is found by another. */
export function installStrictly(root: string, svckit: string): void {
  const { dependencies, devDependencies, optionalDependencies } = packageJson(root)
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const modules = join(root, 'node_modules')
  const runtime = dependencies?.['svckit-runtime']?.replace(/^file:/, '')
  for (const name of names) {
    if (name === 'svckit') link(modules, name, svckit)
    else if (name !== 'svckit-runtime') link(modules, name, join(checkout, 'node_modules', name))
  }
  if (runtime === undefined) return
  const store = join(modules, '.store/svckit-runtime')
  link(modules, 'svckit-runtime', unpackedBeside(join(root, runtime), store, 'svckit-runtime'))
}

/** A package's tarball, with what it depends on beside it; of its peers those that the checkout has. */
function unpackedBeside(tarball: string, store: string, name: string): string {
  const modules = join(store, 'node_modules')
  const folder = join(modules, name)
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: folder })
  const { dependencies, peerDependencies } = packageJson(folder)
  for (const each of Object.keys({ ...dependencies, ...peerDependencies })) {
    link(modules, each, join(checkout, 'node_modules', each))
  }
  return folder
}

/** With its commands, as package managers link them. */
function link(modules: string, name: string, folder: string): void {
  // Optional packages may not exist for this Node.
  if (!existsSync(folder)) return
  const place = join(modules, name)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(folder, place, 'junction')
  const { bin = {} } = packageJson(folder)
  const commands = typeof bin === 'string' ? { [name]: bin } : bin
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const [command, path] of Object.entries(commands)) {
    const file = join(modules, '.bin', command)
    if (!existsSync(file)) symlinkSync(join(folder, path), file)
  }
}

/** The folders of packages that Node would find from a folder, below it aside. */
export function modulesAbove(folder: string): readonly string[] {
  const above = dirname(folder)
  const own = readdirSync(above).includes('node_modules') ? [join(above, 'node_modules')] : []
  return above === dirname(above) ? own : [...own, ...modulesAbove(above)]
}

/** Writes a variable into the `.env` of a project. */
export function setInEnv(root: string, name: string, value: string): void {
  const text = readFileSync(join(root, '.env'), 'utf8')
  fill(root, { '.env': text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='${value}'`) })
}

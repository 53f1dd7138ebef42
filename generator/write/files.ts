import { isUtf8 } from 'node:buffer'
import * as fs from 'node:fs'
import { Refusal, systemCode } from './refusal.js'

export type Kind = 'file' | 'folder' | 'link' | 'other'

/** Every call the write layer makes to the file system; tests make the nth one fail. Paths are absolute. */
export interface Files {
  /** Null when there is no such file. */
  read(path: string): string | null
  write(path: string, text: string): void
  /** Fails with EEXIST when the file exists. */
  create(path: string, text: string): void
  rename(from: string, to: string): void
  /** Gives a file a second name; fails with EEXIST when there is such a file. */
  link(from: string, to: string): void
  /** Lets who may read, write and run one file do so with the other. */
  copyMode(from: string, to: string): void
  /** No complaint when it is gone already. */
  remove(path: string): void
  removeTree(path: string): void
  /** False when the folder still holds something, or is gone. */
  removeFolder(path: string): boolean
  makeFolder(path: string): void
  /** Empty when there is no such folder. */
  list(path: string): ReadonlyMap<string, Kind>
  kind(path: string): Kind | null
  real(path: string): string
  isWritable(path: string): boolean
}

export const disk: Files = {
  read: (path) =>
    decode(
      path,
      unless(missing, () => file(path, () => fs.readFileSync(path))),
    ),
  write: (path, text) => file(path, () => fs.writeFileSync(path, text)),
  create: (path, text) => fs.writeFileSync(path, text, { flag: 'wx' }),
  rename,
  link: (from, to) => fs.linkSync(from, to),
  copyMode: (from, to) => {
    const { mode } = fs.statSync(from)
    if (mode !== fs.statSync(to).mode) fs.chmodSync(to, mode)
  },
  remove: (path) => fs.rmSync(path, { force: true }),
  removeTree: (path) => fs.rmSync(path, { recursive: true, force: true }),
  removeFolder: (path) => unless(notEmpty, () => [fs.rmdirSync(path)]) !== null,
  makeFolder: (path) => folder(path, () => void fs.mkdirSync(path, { recursive: true })),
  list: (path) => {
    const entries = unless(missing, () => fs.readdirSync(path, { withFileTypes: true })) ?? []
    return new Map(entries.map((entry) => [entry.name, kindOf(entry)]))
  },
  kind: (path) => {
    const entry = unless(missing, () => fs.lstatSync(path, { throwIfNoEntry: false }))
    return entry ? kindOf(entry) : null
  },
  real: (path) => fs.realpathSync(path),
  isWritable: (path) => unless(denied, () => [fs.accessSync(path, fs.constants.W_OK)]) !== null,
}

const missing = new Set(['ENOENT', 'ENOTDIR'])
/** A folder that stays is no failure, whatever holds it. */
const notEmpty = new Set([
  'ENOTEMPTY',
  'EEXIST',
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EROFS',
  'EBUSY',
])
const denied = new Set(['EACCES', 'EROFS', 'EPERM'])

function unless<Value>(codes: ReadonlySet<string>, call: () => Value): Value | null {
  try {
    return call()
  } catch (error) {
    if (codes.has(systemCode(error) ?? '')) return null
    throw error
  }
}

function file<Value>(path: string, call: () => Value): Value {
  try {
    return call()
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EACCES' || code === 'EPERM') throw new Refusal(`You may not use '${path}'.`)
    if (code !== 'EISDIR') throw error
    throw new Refusal(`'${path}' is a folder, and svc needs a file of that name: move it away.`)
  }
}

function folder(path: string, call: () => void): void {
  try {
    call()
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' && systemCode(error) !== 'ENOTDIR') throw error
    throw new Refusal(`'${path}' is a file, and svc needs a folder of that name: move it away.`)
  }
}

function decode(path: string, bytes: Buffer | null): string | null {
  if (bytes === null) return null
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new Refusal(`'${path}' is not UTF-8 text, so svc cannot compare it with what it writes.`)
}

// A folder of the project may be another file system, a container's volume say.
function rename(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error
    fs.copyFileSync(from, `${to}.svc-tmp`)
    fs.renameSync(`${to}.svc-tmp`, to)
    fs.rmSync(from)
  }
}

function kindOf(entry: fs.Dirent | fs.Stats): Kind {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

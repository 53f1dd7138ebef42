import { isAscii, isUtf8 } from 'node:buffer'
import * as fs from 'node:fs'
import { Refusal } from '../blueprint/refusal.js'
import { systemCode } from './refusal.js'

export type Kind = 'file' | 'folder' | 'link' | 'other'

/** Every call the write layer makes to the file system; tests make the nth one fail. Paths are absolute. */
export interface Files {
  /** Null when there is no such file. */
  read(path: string): string | null
  /** Another one whenever the file is another one, or has another text; null where there is none. */
  stamp(path: string): string | null
  write(path: string, text: string): void
  rename(from: string, to: string): void
  /** Moves a file to where there is none; false, and nothing moved, when there is one after all. */
  place(from: string, to: string): boolean
  /** Gives a file the permissions of another. */
  allowAs(path: string, other: string): void
  /** No complaint when it is gone already. */
  remove(path: string): void
  removeTree(path: string): void
  /** False when the folder still holds something, is gone, is no folder, or may not be removed. */
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
      unless(missing, () => readable(path, () => file(path, () => fs.readFileSync(path)))),
    ),
  stamp: (path) => {
    const stat = unless(missing, () => fs.statSync(path, { bigint: true, throwIfNoEntry: false }))
    return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ') : null
  },
  write: (path, text) => file(path, () => fs.writeFileSync(path, encode(text))),
  rename,
  place,
  allowAs: (path, other) => fs.chmodSync(path, fs.statSync(other).mode & 0o777),
  remove: (path) => fs.rmSync(path, { force: true }),
  removeTree: (path) => fs.rmSync(path, { recursive: true, force: true }),
  removeFolder: (path) => unless(staying, () => [fs.rmdirSync(path)]) !== null,
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
const denied = new Set(['EACCES', 'EROFS', 'EPERM'])
/** A folder that stays is no failure, whatever holds it. */
const staying = new Set([...missing, ...denied, 'ENOTEMPTY', 'EEXIST', 'EBUSY'])

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
    if (systemCode(error) !== 'EISDIR') throw error
    throw new Refusal(`'${path}' is a folder, and svc needs a file of that name: move it away.`)
  }
}

function readable<Value>(path: string, call: () => Value): Value {
  try {
    return call()
  } catch (error) {
    if (!denied.has(systemCode(error) ?? '')) throw error
    throw new Refusal(`'${path}' may not be read, so svc cannot compare it with what it writes.`)
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

/** Bytes. The base of 1,000 repositories has ten million, and a run reads it four times. */
const large = 1_000_000

let lastLarge: { readonly bytes: Buffer; readonly text: string } | undefined

/** The last large file is not decoded again while it has the same bytes. */
function decode(path: string, bytes: Buffer | null): string | null {
  if (bytes === null || bytes.length < large) return decodeAll(path, bytes)
  if (lastLarge?.bytes.equals(bytes) === true) return lastLarge.text
  const text = decodeAll(path, bytes) ?? ''
  lastLarge = { bytes, text }
  return text
}

function decodeAll(path: string, bytes: Buffer | null): string | null {
  if (bytes === null) return null
  // This takes a thirtieth of the time for megabytes, which a document has.
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  if (isPacked(bytes.toString('latin1', 0, 2))) return bytes.toString('latin1')
  throw new Refusal(`'${path}' is not UTF-8 text, so svc cannot compare it with what it writes.`)
}

/** A tarball is no text: a character is a byte of it. No text in UTF-8 begins like one, and none that svc writes. */
const isPacked = (start: string) => start === '\u001f\u008b'

const encode = (text: string): string | Buffer =>
  isPacked(text.slice(0, 2)) ? Buffer.from(text, 'latin1') : text

// A folder of the project may be another file system, a container's volume say.
function rename(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error
    fs.copyFileSync(from, `${to}.svc-tmp`)
    fs.renameSync(`${to}.svc-tmp`, to)
    fs.unlinkSync(from)
  }
}

const unlinkable = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

// Linking is the one way to name a file that never replaces another.
function place(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    if (!unlinkable.has(systemCode(error) ?? '')) throw error
    return placeUnlinked(from, to)
  }
  fs.unlinkSync(from)
  return true
}

// A file system without links, or another one than svc's own folder is on.
function placeUnlinked(from: string, to: string): boolean {
  if (fs.lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false
  rename(from, to)
  return true
}

function kindOf(entry: fs.Dirent | fs.Stats): Kind {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

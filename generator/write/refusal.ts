import { Refusal } from '../blueprint/refusal.js'

/** The project is not what was planned for any more: somebody wrote it since. Planning again helps. */
export class Disturbed extends Refusal {
  readonly paths: readonly string[]

  /** `notes`: what there is to say of taking back what was written already. */
  constructor(paths: readonly string[], notes: readonly string[] = []) {
    const files = paths.map((path) => `  ${path}`)
    super([...disturbed, ...files, ...notes, 'Run it again.'].join('\n'))
    this.paths = paths
  }
}

const disturbed = ['Nothing was written: these files were changed while svc was writing.']

/** The code of a failed system call, or null for any other failure. */
export function systemCode(error: unknown): string | null {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return isCoded ? String(error.code) : null
}

const reasons = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your disk quota is used up'],
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'you may not write there'],
  ['EPERM', 'you may not write there'],
  ['EEXIST', 'something else is in the way'],
  ['ENOTDIR', 'a file is where a folder has to be'],
  ['EISDIR', 'a folder is where a file has to be'],
  ['EBUSY', 'another program holds the file'],
  ['EMFILE', 'too many files are open'],
  ['EFBIG', 'a file may not become that large'],
  ['EIO', 'the disk fails'],
  ['ELOOP', 'a symbolic link leads to itself'],
  ['ENAMETOOLONG', 'a path is too long'],
])

/**
 * Explains a failed system call to people; null: it is no such failure, or one that svc has to
 * expect.
 */
export const systemReason = (error: unknown): string | null =>
  reasons.get(systemCode(error) ?? '') ?? null

/** A failure of the disk as a refusal; anything else as it was. */
export function explained(error: unknown): unknown {
  const reason = systemReason(error)
  if (reason === null || !(error instanceof Error)) return error
  return new Refusal(`Nothing was changed: ${reason}.\n  ${error.message}`)
}

/** A value of `--fill` that nothing asks for. */
export class IdleFill extends Refusal {
  constructor({ table, column }: { readonly table: string; readonly column: string }) {
    super(
      `--fill ${table}.${column}: no unsaved migration makes this column required, or converts it.`,
    )
  }
}

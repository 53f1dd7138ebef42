/** svc will not go on, and the developer can change that: what is in the way, and what to do. Nothing was written. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}

/** A file is not what the plan was made from any more. */
export class ChangedMeanwhile extends Refusal {
  constructor(path: string) {
    super(`'${path}' was changed while svc was writing. Nothing was changed by svc: run it again.`)
  }
}

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
  ['EBUSY', 'another program holds the file'],
  ['EMFILE', 'too many files are open'],
  ['EEXIST', 'a file is where svc needs a folder'],
  ['ENOTDIR', 'a file is where svc needs a folder'],
  ['EISDIR', 'a folder is where svc needs a file'],
])

/** A failure of the disk as a refusal; anything else as it was. */
export function explained(error: unknown): unknown {
  const reason = reasons.get(systemCode(error) ?? '')
  if (reason === undefined || !(error instanceof Error)) return error
  return new Refusal(`Nothing was changed: ${reason}.\n  ${error.message}`)
}

/** A place in a file of the project. Lines and columns start at 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/**
 * A part of the manifest: a repository's key, then the steps from there, e.g. `['posts', 'sort', 1]`. The key `''` means
 * what `defineManifest` itself is given.
 */
export type Path = readonly (string | number)[]

/** Why a manifest could not be read, in the form of the blueprint's problems. */
export interface LoadProblem extends Position {
  readonly rule: string
  readonly message: string
  readonly known?: readonly string[]
  readonly fix?: string
}

export const isLoadProblem = (value: object | null): value is LoadProblem =>
  value !== null && 'message' in value && 'rule' in value

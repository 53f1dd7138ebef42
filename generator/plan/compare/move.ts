import type { Identifiers } from '../../source/rename-identifiers.js'

/** Files that change their names with a repository, and the names in them that change too. */
export interface Move {
  /** URI keys. */
  readonly from: string
  readonly to: string
  readonly paths: readonly { readonly from: string; readonly to: string }[]
  readonly identifiers: Identifiers
}

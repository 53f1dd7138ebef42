import type { Check } from './conversions/checks.js'

/** Rows that point at what their relation has not any more. */
export interface LeftRows {
  readonly table: string
  readonly column: string
  readonly becomes: 'stopping' | 'deleted' | 'emptied'
  /** Finds them, and stops the migration. */
  readonly check: Check
  /** What becomes of them, once data loss is accepted. */
  readonly sql: string
  /** All of that in a sentence. */
  readonly says: string
}

export const isStopping = ({ becomes }: LeftRows) => becomes === 'stopping'

/** What checks say of them. */
export const gone = 'belongs to a repository that has no side of it any more'
export const pointedAt = (table: string) => `points at records of '${table}'`

type Said = Pick<Check, 'says'>

export const isOfGoneSide = ({ says }: Said) => says === gone
export const isOfOtherTable = ({ says }: Said) => says.startsWith('points at records of ')

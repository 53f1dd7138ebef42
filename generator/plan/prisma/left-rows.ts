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
export const pointedAt = (table: string, isNullable: boolean) =>
  `${isNullable ? '' : 'cannot be empty, and '}points at records of '${table}'`
export const otherId = 'is an id of another kind, and what its record is known by'

type Said = Pick<Check, 'says'>

export const isOfGoneSide = ({ says }: Said) => says === gone
export const isOfOtherTable = ({ says }: Said) => says.includes("points at records of '")
export const isOtherId = ({ says }: Said) => says === otherId
/** Nobody can say that they shall go. */
export const isLasting = (said: Said) => isOtherId(said) || said.says.startsWith('cannot be empty')

import type { Check } from './conversions/checks.js'

/** Rows that point at what their relation has not any more. */
export interface LeftRows {
  readonly table: string
  readonly column: string
  /** Finds them, and stops the migration. */
  readonly check: Check
  /** SQL for these rows in a run that accepts data loss; empty: nobody can decide that they go. */
  readonly sql: string
  /** All of that in a sentence. */
  readonly says: string
}

/** Words of the checks about them. */
export const gone = 'belongs to a repository that has no side of it any more'
export const pointedAt = (table: string, isNullable: boolean) =>
  `${isNullable ? '' : 'cannot be empty, and '}points at records of '${table}'`
export const otherId = 'is an id of another kind, and what its record is known by'

/** Words about rows that say themselves that they are deleted. */
export const absent = 'says since when a record is deleted, and goes'

type Said = Pick<Check, 'says'>

export const isOfGoneSide = ({ says }: Said) => says === gone
export const isOfOtherTable = ({ says }: Said) => says.includes("points at records of '")
export const isAbsent = ({ says }: Said) => says === absent
export const isOtherId = ({ says }: Said) => says === otherId

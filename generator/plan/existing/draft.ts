import { isIdentifier } from '../../blueprint/names.js'
import { GIVEN_COLUMNS, RESERVED_FIELDS } from '../../manifest/reserved.js'
import type { FoundColumn, FoundTable } from './catalog.js'
import type { Kind } from './field-text.js'

export interface Entry {
  readonly name: string
  readonly text: string
  readonly note?: string
}

/** Something that stays as it is, in the database alone. */
export interface LeftAlone {
  readonly what: string
  readonly why: string
}

export interface RepositoryDraft {
  readonly table: FoundTable
  readonly key: string
  readonly id: 'integer' | 'uuid'
  readonly hasTimestamps: boolean
  readonly fields: Entry[]
  readonly related: Entry[]
  readonly kinds: Map<string, Kind>
  readonly imports: Set<string>
  /** What relations cannot be called any more, in lower case. */
  readonly taken: Set<string>
}

/** A record cannot be stored without what the database asks for. */
export const withCost = ({ nullable, default: value, isGenerated }: FoundColumn, why: string) =>
  nullable || isGenerated || value !== null
    ? why
    : `${why}; it is required, so no record can be made over the API`

export function nameProblem(name: string): string | null {
  const folded = name.toLowerCase()
  if (!isIdentifier(name)) return 'its name cannot be a field'
  const isTaken = [...GIVEN_COLUMNS, ...RESERVED_FIELDS].some((each) => each === folded)
  return isTaken ? `svc means something else by '${folded}'` : null
}

export function freeName({ taken }: RepositoryDraft, candidates: readonly string[]): string {
  const last = candidates.at(-1) ?? 'related'
  const numbered = Array.from({ length: 99 }, (_, at) => `${last}_${at + 2}`)
  const name = [...candidates, ...numbered].find((each) => !taken.has(each.toLowerCase())) ?? last
  taken.add(name.toLowerCase())
  return name
}

import type { FieldKind } from '../../kinds/kinds.js'
import type { FoundColumn, FoundTable } from './catalog.js'
import type { FoundKey } from './keys.js'

export interface Entry {
  readonly name: string
  /** The column of a field. */
  readonly column?: string
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
  readonly id: FoundKey
  readonly hasTimestamps: boolean
  /** Names of fields by column. */
  readonly names: ReadonlyMap<string, string>
  readonly fields: Entry[]
  readonly related: Entry[]
  readonly kinds: Map<string, FieldKind>
  readonly imports: Set<string>
  /** Names that relations cannot have any more, in lower case. */
  readonly taken: Set<string>
}

/** A record cannot be stored without what the database asks for. */
export const withCost = ({ nullable, default: value, isGenerated }: FoundColumn, why: string) =>
  nullable || isGenerated || value !== null
    ? why
    : `${why}; it is required, so no record can be made over the API`

export function freeName({ taken }: RepositoryDraft, candidates: readonly string[]): string {
  const last = candidates.at(-1) ?? 'related'
  const numbered = Array.from({ length: 99 }, (_, at) => `${last}_${at + 2}`)
  const name = [...candidates, ...numbered].find((each) => !taken.has(each.toLowerCase())) ?? last
  taken.add(name.toLowerCase())
  return name
}

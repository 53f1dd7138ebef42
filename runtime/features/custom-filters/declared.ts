/**
 * The filters that the manifest declares for one repository; its repository file passes them on.
 */

/** Kinds of values. */
export type FilterKind = 'boolean' | 'select' | 'multiSelect' | 'timestamp' | 'number' | 'text'

/** Texts for people. */
export interface FilterTexts {
  readonly label?: string
  readonly placeholder?: string
  readonly description?: string
}

/** A matcher or a filter. */
export interface DeclaredFilter extends FilterTexts {
  readonly kind: FilterKind
  /** Options of `select` and `multiSelect`. */
  readonly options?: readonly string[]
}

export interface DeclaredFilters {
  /** Sent as parameters: `popular=true`. */
  readonly match?: Readonly<Record<string, DeclaredFilter>>
  /** Sent in `sort`. */
  readonly sort?: Readonly<Record<string, FilterTexts>>
  /** Sent in `filters`. */
  readonly filters?: Readonly<Record<string, DeclaredFilter>>
}

type Answer = (value: unknown, asking: { readonly user: unknown }) => unknown
type SortAnswer = (asking: { readonly user: unknown }) => unknown
type Gate = (user: unknown) => unknown

/** `app/Filters/…` as it is called. */
export interface AnyFilters {
  readonly match?: Readonly<Record<string, Answer>> | undefined
  readonly sort?: Readonly<Record<string, SortAnswer>> | undefined
  readonly filters?: Readonly<Record<string, Answer>> | undefined
  readonly canSee?: Readonly<Record<string, Gate>> | undefined
}

/** Returns the file that answers one of them, for messages. */
export const fileOf = (
  { name: repository }: { readonly name: string },
  part: keyof DeclaredFilters,
  name: string,
): string => `app/Filters/${repository}Filters.ts, '${name}' of ${part}`

/** The same filters without the user's type: it was checked where they are written. */
export interface FiltersOf {
  readonly match?: object | undefined
  readonly sort?: object | undefined
  readonly filters?: object | undefined
  readonly canSee?: object | undefined
}

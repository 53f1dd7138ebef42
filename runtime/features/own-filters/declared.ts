/** What the manifest declares of the filters of one repository; its repository file hands it over. */

/** What a value is. */
export type FilterKind = 'boolean' | 'select' | 'multiSelect' | 'timestamp' | 'number' | 'text'

/** What people are shown of it. */
export interface FilterTexts {
  readonly label?: string
  readonly placeholder?: string
  readonly description?: string
}

/** A matcher or a filter. */
export interface DeclaredFilter extends FilterTexts {
  readonly kind: FilterKind
  /** Of `select` and `multiSelect`. */
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

/** Where one of them is answered, for messages. */
export const fileOf = (
  { name: repository }: { readonly name: string },
  part: keyof DeclaredFilters,
  name: string,
): string => `app/Filters/${repository}Filters.ts, '${name}' of ${part}`

/** The same to code that knows no user: its types were checked where it stands. */
export interface FiltersOf {
  readonly match?: object | undefined
  readonly sort?: object | undefined
  readonly filters?: object | undefined
  readonly canSee?: object | undefined
}

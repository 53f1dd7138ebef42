/** Texts for people about something that can be asked. */
export interface FilterTexts {
  readonly label?: string
  readonly placeholder?: string
  readonly description?: string
}

/** The words that a value is one of. */
export interface FilterChoice<Option extends string = string> extends FilterTexts {
  readonly options: readonly Option[]
}

type ChoiceKind = 'select' | 'multiSelect'
export type FilterKind = 'boolean' | 'timestamp' | 'number' | 'text' | ChoiceKind

/** The kind of a value, and its texts. */
interface Asked extends FilterTexts {
  readonly kind: FilterKind
  readonly options?: readonly string[]
}

type Said<Kind> = Kind extends ChoiceKind ? [choice: FilterChoice] : [texts?: FilterTexts]

const asked = (kind: FilterKind, [said]: readonly [FilterTexts?]): Asked =>
  Object.freeze({ kind, ...said })

export interface Matcher {
  readonly type: 'matcher'
  readonly definition: Asked
}

export interface Filter {
  readonly type: 'filter'
  readonly definition: Asked
}

export interface Sorter<Name extends string = string> {
  readonly type: 'sorter'
  readonly name: Name
  readonly definition: FilterTexts
}

/**
 * A parameter of lists that is no column, in `match`: `popular=true`. `app/Filters` answers which records it finds.
 * `'boolean'`, `'number'`, `'text'`, `'timestamp'`; `'select'` and `'multiSelect'` with their `options`.
 *
 * @example match: { status: 'text', popular: matcher('boolean') }
 */
export function matcher<const Kind extends FilterKind>(kind: Kind, ...said: Said<Kind>): Matcher {
  return Object.freeze({ type: 'matcher', definition: asked(kind, said) })
}

/**
 * A key of `sort` that is no column: `sort=-popularity`. `app/Filters` answers what is compared.
 *
 * @example sort: ['title', sorter('popularity')]
 */
export function sorter<const Name extends string>(
  name: Name,
  texts: Omit<FilterTexts, 'placeholder'> = {},
): Sorter<Name> {
  return Object.freeze({ type: 'sorter', name, definition: Object.freeze({ ...texts }) })
}

/**
 * A filter of lists by its key, in `filters`: `filters=<base64 of [{ "key": "ready", "value": true }]>`, as Restify sends it.
 * `app/Filters` answers which records it finds.
 *
 * @example filters: { ready: filter('boolean', { label: 'Ready to ship' }), kind: filter('select', { options: ['a', 'b'] }) }
 */
export function filter<const Kind extends FilterKind>(kind: Kind, ...said: Said<Kind>): Filter {
  return Object.freeze({ type: 'filter', definition: asked(kind, said) })
}

declare module '../../manifest/words.js' {
  interface FeatureSortEntries {
    readonly customFilters: Sorter
  }
  interface FeatureMatchEntries {
    readonly customFilters: Matcher
  }
  interface RepositoryWords {
    /**
     * Filters of lists besides columns, `filters=<base64 of [{ "key", "value" }]>`; `app/Filters`
     * answers.
     */
    readonly filters?: Readonly<Record<string, Filter>>
  }
}

/** Takes filters by their keys. */
export const filtersParameter = 'filters'

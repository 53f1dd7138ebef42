import type {
  CheckColumn,
  CheckColumns,
  CheckFields,
  CheckMatch,
  CheckRelated,
  CheckUriKey,
  ColumnOf,
  ComparedColumn,
  Entry,
  Sorted,
  TargetsOf,
} from './checks.js'
import type { Field } from './field.js'
import type { Id } from './id.js'
import type { Relation } from './relations.js'
import type { AnyOf, FeatureSearchables, RepositoryWords } from './words.js'

/** A frozen description of one repository. The parameters are for the compiler: what it relates to, its URI key. */
export interface Repository<Targets extends string = string, UriKey extends string = string> {
  readonly type: 'repository'
  readonly definition: RepositoryDefinition
  readonly targets?: Targets
  readonly uriKey?: UriKey
}

/** A repository in data: what was written, nothing guessed. */
export interface RepositoryDefinition extends RepositoryWords {
  readonly fields: Readonly<Record<string, Field>>
  readonly related?: Readonly<Record<string, Entry>>
  readonly title?: string
  readonly searchable?: readonly string[]
  readonly match?: Readonly<Record<string, string>>
  readonly sort?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[])[]
  readonly uriKey?: string
  readonly name?: string
  readonly id?: Id
  readonly table?: string
  readonly key?: string
  readonly timestamps?: false
  readonly public?: boolean
  readonly defaultPerPage?: number
  readonly defaultRelatablePerPage?: number
  readonly hooks?: boolean | 'inside'
  readonly description?: string
  readonly renamedFrom?: string
}

interface Written<
  Fields,
  Related,
  Title,
  Searchable extends readonly string[],
  Match,
  Sort extends readonly Sorted[],
  UriKey,
  Column,
> extends RepositoryWords {
  /** The attributes of a record: their names in JSON and in the database; and `hasMany()`, for GraphQL's lists of ids. */
  readonly fields: CheckFields<Fields>
  /**
   * Entries that clients load with `include` and `related`: relations, `computed()`, `member()`.
   */
  readonly related?: CheckRelated<Fields, Related>
  /** The column that names a record for people. */
  readonly title?: CheckColumn<Title, Fields, Column, 'title'>
  /** Text columns that `search=` looks into. */
  readonly searchable?:
    | CheckColumns<Searchable, Fields, Column, 'searchable'>
    | AnyOf<FeatureSearchables<CheckColumns<Searchable, Fields, Column, 'searchable'>>>
  /** Columns to filter by, `?status=live`, and how their values are compared. */
  readonly match?: CheckMatch<Match, Fields, Related, Column> & {
    readonly [Name in NoInfer<Column> & string]?: unknown
  }
  /** Columns to sort by, `?sort=-created_at`. */
  readonly sort?: CheckColumns<Sort, Fields, Column, 'sort'>
  /**
   * Columns whose values no two records have together, `[['company_id', 'sku']]`; one column says `.unique()`. Compared as
   * they are written, and NULL is equal to nothing.
   */
  readonly unique?: readonly (readonly [
    NoInfer<ComparedColumn<Fields, Column>>,
    NoInfer<ComparedColumn<Fields, Column>>,
    ...NoInfer<ComparedColumn<Fields, Column>>[],
  ])[]
  /** Columns that queries look for, or sort by, together: `[['status', 'created_at']]`. */
  readonly indexes?: readonly (readonly NoInfer<ComparedColumn<Fields, Column>>[])[]
  /** The collection's name in paths and the `type` of its resources; the key in the manifest unless you say. */
  readonly uriKey?: CheckUriKey<UriKey>
  /** The name of one record in code, PascalCase; the singular of the URI key unless you say. */
  readonly name?: string
  /** The kind of its key; the manifest's `id` unless you say. */
  readonly id?: Id
  /** Its table in the database, where that is not named after the URI key: of a database that was there before. */
  readonly table?: string
  /** The column of its key, where that is not `id`; clients, policies and hooks say `id`. */
  readonly key?: string
  /** Its table has no `created_at` and `updated_at`. */
  readonly timestamps?: false
  /** Everybody may read it without a token. Policies still decide which rows. */
  readonly public?: boolean
  /** Records per page; 15 unless you say. */
  readonly defaultPerPage?: number
  /** Records per parent when it is loaded as a related collection; 15 unless you say. */
  readonly defaultRelatablePerPage?: number
  /**
   * Ask for `app/Hooks/<Name>Hooks.ts` even when nothing is computed. `'inside'`: with `insideStore`, `insideUpdate` and
   * `insideDelete` (and `insideRestore`, `insideForceDelete` of a trash), which run in the transaction of the write
   * (PostgreSQL may run them twice, after a deadlock), and with
   * `requestId`, `origin`, `isMany` and `isDryRun` in every context.
   */
  readonly hooks?: boolean | 'inside'
  /** One sentence for people. */
  readonly description?: string
  /** The URI key it had before, so that files and table move with their contents. */
  readonly renamedFrom?: string
}

/**
 * A collection of records served under its URI key.
 *
 * @example
 * export const posts = repository({
 *   title: 'title',
 *   searchable: ['title'],
 *   sort: ['id', 'title'],
 *   fields: { title: text().max(160), published_at: dateTime().nullable() },
 *   related: { owner: belongsTo('users', { filledBy: 'user' }), comments: hasMany() },
 * })
 */
export function repository<
  const Fields extends Readonly<Record<string, Field | Relation>>,
  const Related extends Readonly<Record<string, Entry | Field>> = Record<never, never>,
  const Title extends string = string,
  const Searchable extends readonly string[] = readonly string[],
  const Match extends Readonly<Record<string, unknown>> = Record<never, never>,
  const Sort extends readonly Sorted[] = readonly string[],
  const UriKey extends string = never,
>(
  definition: Written<
    Fields,
    Related,
    Title,
    Searchable,
    Match,
    Sort,
    UriKey,
    ColumnOf<Fields, Related>
  >,
): Repository<TargetsOf<Related> | TargetsOf<Fields>, UriKey> {
  // The compiler saw a checked view of the same data.
  const written = { ...definition } as unknown as RepositoryDefinition
  return Object.freeze({ type: 'repository', definition: Object.freeze(written) })
}

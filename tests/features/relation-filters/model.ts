/** What filters through relations find of products, without a database. */
import fc from 'fast-check'

/** A record, and those that it leads to: what the user may not see is left out before. */
export interface Known {
  readonly columns: Readonly<Record<string, unknown>>
  readonly related: Readonly<Record<string, readonly Known[]>>
  /** Beside it, where a pivot table led here. */
  readonly pivot?: Readonly<Record<string, unknown>>
}

export interface Filter {
  /** Relations, and a column; none where it asks whether there are records. */
  readonly path: readonly string[]
  readonly leaf: string | null
  readonly negated: boolean
  /** As it is sent. */
  readonly text: string
  /** `gte` of `reviews.rating[gte]`. */
  readonly word: string | null
  readonly passes: (value: unknown) => boolean
}

const toMany = new Set(['tags', 'reviews', 'members', 'notes'])

/** All that is said of one relation speaks of one record. */
export function holds(record: Known, filters: readonly Filter[]): boolean {
  const here = filters.filter(({ path }) => path.length === 0)
  if (!here.every((filter) => holdsHere(record, filter))) return false
  const keys = new Set(filters.flatMap(({ path }) => path.slice(0, 1)))
  return [...keys].every((key) => {
    const below = filters.filter(({ path }) => path[0] === key)
    const lacking = below.filter((filter) => filter.negated && isLacking(filter))
    const positive = below.filter((filter) => !lacking.includes(filter))
    const records = record.related[key] ?? []
    const finds = (all: readonly Filter[]) =>
      records.some((each) =>
        holds(
          each,
          all.map((filter) => ({ ...filter, path: filter.path.slice(1) })),
        ),
      )
    return (
      (positive.length === 0 || finds(positive)) &&
      lacking.every((filter) => !finds([{ ...filter, negated: false }]))
    )
  })
}

/** None of several, or no record at all. */
const isLacking = ({ path, leaf }: Filter) =>
  toMany.has(path[0] ?? '') || (leaf === null && path.length === 1)

function holdsHere(
  { columns, pivot = {} }: Known,
  { leaf, negated, passes, text }: Filter,
): boolean {
  if (leaf === null) return true
  const value = leaf.startsWith('pivot.') ? pivot[leaf.slice(6)] : columns[leaf]
  if (!negated) return passes(value ?? null)
  // A minus leaves out what has no value, unless it is that which is not to be.
  return text === 'null' ? value !== null : value !== null && !passes(value)
}

const among = (values: readonly unknown[]) => (value: unknown) => values.includes(value)

/** One of these, several, or no value. */
const text = (path: string, pool: readonly string[]) => {
  const several = fc.uniqueArray(fc.constantFrom(...pool), { minLength: 1, maxLength: 2 })
  return fc.oneof(
    { weight: 5, arbitrary: several.map((all) => filter(path, all.join(), among(all))) },
    fc.constant(filter(path, 'null', among([null]))),
  )
}

const compared = (path: string, word: string, sent: string, passes: Filter['passes']): Filter => ({
  ...filter(path, sent, (value) => value !== null && passes(value)),
  word,
})

function filter(name: string, sent: string, passes: Filter['passes']): Filter {
  const segments = name.split('.')
  const at = name.includes('.pivot.') ? -2 : -1
  const leaf = segments.slice(at).join('.')
  return { path: segments.slice(0, at), leaf, negated: false, text: sent, word: null, passes }
}

const exists = (name: string): Filter => ({
  ...{ path: name.split('.'), leaf: null, negated: false, text: 'true', word: null },
  passes: () => true,
})

export const names = ['Ada', 'ada', 'Bo', 'Ün', "o'x"] as const
export const words = ['a', 'b', 'ä'] as const

const part = fc
  .constantFrom('ad', 'n', 'ÜN', '%', 'o')
  .map((each) =>
    filter(
      'seller.company.name',
      each,
      (value) => value !== null && String(value).toLowerCase().includes(each.toLowerCase()),
    ),
  )

const plain: fc.Arbitrary<Filter> = fc
  .tuple(
    fc.oneof(
      ...[text('seller.name', names), text('tags.name', words), text('label.text', words)],
      ...[part, text('reviews.author.name', names)],
      fc.constantFrom(exists('seller'), exists('tags'), exists('reviews'), exists('notes')),
      fc
        .uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 2 })
        .map((all) => filter('reviews.rating', all.join(), among(all))),
      fc.constant(filter('members.pivot.is_admin', 'true', among([true]))),
      fc.constant(filter('members.pivot.is_admin', 'false', among([false]))),
      fc
        .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
        .map(([from, to]) =>
          filter(
            'members.pivot.hours',
            `${from},${to}`,
            (value) => value !== null && Number(value) >= from && Number(value) <= to,
          ),
        ),
    ),
    fc.boolean(),
  )
  .map(([each, negated]) => ({ ...each, negated }))

const comparison: fc.Arbitrary<Filter> = fc.oneof(
  fc
    .integer({ min: 1, max: 5 })
    .map((least) =>
      compared('reviews.rating', 'gte', String(least), (each) => Number(each) >= least),
    ),
  fc
    .integer({ min: 1, max: 5 })
    .map((most) => compared('reviews.rating', 'lt', String(most), (each) => Number(each) < most)),
  fc
    .constantFrom('A', 'a', 'B')
    .map((start) =>
      compared('seller.name', 'startsWith', start, (each) => String(each).startsWith(start)),
    ),
  fc
    .constantFrom(...names)
    .map((name) => compared('seller.name', 'not', name, (each) => each !== name)),
  fc
    .integer({ min: 0, max: 4 })
    .map((most) =>
      compared('members.pivot.hours', 'lte', String(most), (each) => Number(each) <= most),
    ),
)

export const nameOf = ({ path, leaf }: Filter): string =>
  [...path, ...(leaf === null ? [] : [leaf])].join('.')

/** Each once: what is sent twice is one of both, or refused. */
export const filters: fc.Arbitrary<readonly Filter[]> = fc.uniqueArray(
  fc.oneof({ weight: 3, arbitrary: plain }, comparison),
  {
    minLength: 1,
    maxLength: 4,
    selector: (each) => `${each.negated} ${nameOf(each)} ${each.word}`,
  },
)

/** As a request sends it; `-` and `true` may be `false`. */
export function sent(filter: Filter, isFilter: boolean): string {
  const { negated, word, text: said } = filter
  const word_ = word === null ? '' : `[${word}]`
  const name = `${negated ? '-' : ''}${nameOf(filter)}`
  const place = isFilter ? `filter[${name}]${word_}` : `${name}${word_}`
  return `${encodeURIComponent(place)}=${encodeURIComponent(said)}`
}

type Tree = Record<string, unknown>

/** As GraphQL has it: `match`, and `where` for what compares; null: not in one of each. */
export function inGraphql(all: readonly Filter[]): { match: Tree; where: Tree } {
  const match: Tree = {}
  const not: Tree = {}
  const where: Tree = {}
  for (const each of all) {
    const segments = [...each.path, ...(each.leaf ?? 'exists').split('.')]
    if (each.word !== null) put(where, [...segments, each.word], numberOr(each.text))
    else put(each.negated ? not : match, segments, each.leaf === null ? true : each.text)
  }
  return { match: Object.keys(not).length === 0 ? match : { ...match, not }, where }
}

const numberOr = (said: string): unknown => (/^\d+$/.test(said) ? Number(said) : said)

function put(tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[key] = value
    return
  }
  tree[key] ??= {}
  put(tree[key] as Tree, rest, value)
}

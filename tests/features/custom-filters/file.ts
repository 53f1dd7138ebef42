/** The developer's own files, as they might be, for `fixtures/features/custom-filters`. */

/** Likes are public; what a product costs is nothing for Cy. */
export const productFilters = `
import type { FiltersFor, ProductFilterValues, ProductModel } from '#app/Models.js'
import { badRequest } from '#runtime/errors.js'
import { any, not, self, sql } from '#runtime/policy/condition.js'

export const ProductFilters: FiltersFor<ProductModel, ProductFilterValues> = {
  match: {
    popular: (value) => (value ? { likes: { gte: 10 } } : not({ likes: { gte: 10 } })),
    kinds: (values) =>
      any(
        values.includes('new') && { ready_at: { isNull: true } },
        values.includes('cheap') && { cost: { lt: 5 } },
        values.includes('a, b') && { name: 'a, b' },
      ),
    reviewed_by: (value) => ({ reviews: { some: { author: value } } }),
    least: async (value) => (value === 404 ? { ready_at: 'never' } : { cost: { gte: value } }),
  },
  sort: {
    popularity: () => sql\`coalesce(\${self('likes')}, \${0}) * \${2}\`,
    margin: ({ user }) => (user?.name === 'Mia' ? JSON.parse('{ "column": "nothing" }') : self('cost')),
  },
  filters: {
    ready: (value) => ({ ready_at: { isNull: !value } }),
    since: (value) => ({ ready_at: { gte: value } }),
    kind: (value) => (value === 'new' ? { ready_at: { isNull: true } } : { cost: { lt: 5 } }),
    kinds: () => true,
    costs: (value) => {
      if (value < 0) throw badRequest('Nothing costs less than nothing.')
      return { cost: value }
    },
    maker: (value) =>
      value === 'mistaken' ? JSON.parse('{ "owner": { "is": { "nmae": "x" } } }') :
      value.startsWith('after ') ? { ready_at: { gte: value.slice(6) } } : { owner: { is: { name: value } } },
    loved: (value) => {
      const loved = { reviews: { every: { stars: { gte: 4 } } } }
      return value ? loved : not(loved)
    },
  },
  canSee: { kinds: (user) => user?.name !== 'Bob', margin: (user) => user?.name !== 'Bob' },
}
`

export const reviewFilters = `
import type { FiltersFor, ReviewFilterValues, ReviewModel } from '#app/Models.js'

export const ReviewFilters: FiltersFor<ReviewModel, ReviewFilterValues> = {
  filters: { good: (value) => (value ? { stars: { gte: 4 } } : { stars: { lt: 4 } }) },
}
`

export const pageFilters = `
import type { FiltersFor, PageEntityFilterValues, PageEntityModel } from '#app/Models.js'
import { self, sql } from '#runtime/policy/condition.js'

export const PageEntityFilters: FiltersFor<PageEntityModel, PageEntityFilterValues> = {
  sort: { length: () => sql\`length(\${self('title')})\` },
}
`

const everything = 'show: () => true'

/** By path: what becomes of what svc wrote. */
export const ownFiles: Readonly<Record<string, (text: string) => string>> = {
  'app/Filters/ProductFilters.ts': () => productFilters,
  'app/Filters/ReviewFilters.ts': () => reviewFilters,
  'app/Filters/PageEntityFilters.ts': () => pageFilters,
  'app/Policies/ProductPolicy.ts': (text) =>
    text.replace(
      /(ProductPolicy.*= \{\n)/,
      "$1  canSee: { cost: (user) => user?.name !== 'Cy' },\n",
    ),
  'app/Policies/UserPolicy.ts': (text) =>
    text.replace(/show: .*/, "show: () => ({ name: { not: 'Ghost' } }),"),
  'app/Policies/ReviewPolicy.ts': (text) =>
    text.replace(/show: .*/, 'show: () => ({ stars: { not: 3 } }),'),
  'app/Policies/PageEntityPolicy.ts': (text) => text.replace(/show: [^,]*/, everything),
}

/** As clients send them. */
export const filtersOf = (...asked: readonly (readonly [key: string, value: unknown])[]): string =>
  encoded(asked.map(([key, value]) => ({ key, value })))

export const encoded = (said: unknown): string =>
  `filters=${encodeURIComponent(Buffer.from(JSON.stringify(said)).toString('base64'))}`

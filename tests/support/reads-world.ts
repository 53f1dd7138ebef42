/** A shop whose lists may be asked all that there is, with as many rows as a test wants. */
import { openManifest } from './own-manifest.js'
import type { DatabaseName, Project } from './project.js'

const filters = `import type { FiltersFor, ProductFilterValues, ProductModel } from '#app/Models.js'
import { not, self } from '#runtime/policy/condition.js'

export const ProductFilters: FiltersFor<ProductModel, ProductFilterValues> = {
  match: {
    liked: (value) => ({ likes: value }),
    praised: (value) => (value ? { reviews: { some: { rating: 99 } } } : not({ likes: 1 })),
  },
  sort: { popularity: () => self('likes') },
  filters: { since: (value) => ({ made_at: { gte: value } }), made_in: (value) => ({ category: { is: { name: value } } }) },
}
`

export const openReads = (name: DatabaseName): Promise<Project> =>
  openManifest(
    {
      manifest: 'tests/support/manifests/reads-world.ts',
      files: { 'app/Filters/ProductFilters.ts': filters },
      edits: {
        'config/svc.ts': (text) =>
          text
            .replace('max_per_page: 100', 'max_per_page: 2_000')
            .replace('strict_queries: false', 'strict_queries: true'),
      },
    },
    name,
  )

/**
 * As many products as said, each with two reviews and two tags, and a seller and a category for each
 * ten of them. Of all columns a few rows have a value that is searched: number 1, and 'gone' or 99.
 */
export async function fillReads(
  { database }: Project,
  name: DatabaseName,
  count: number,
): Promise<void> {
  const isSqlite = name === 'sqlite'
  const execute = (sql: string) => database.query({ sql, access: 'write' }, [])
  for (const table of ['reviews', 'product_tag', 'tags', 'products', 'categories'])
    await execute(`delete from ${table}`)
  await execute("delete from users where email like 'seller%'")
  const now = isSqlite ? "'2026-01-01T00:00:00.000+00:00'" : "timestamptz '2026-01-01T00:00:00Z'"
  const made = isSqlite
    ? "strftime('%Y-%m-%dT%H:%M:%S.000+00:00', '2020-01-01', '+' || n || ' minutes')"
    : "timestamptz '2020-01-01T00:00:00Z' + n * interval '1 minute'"
  const price = isSqlite ? "printf('%d.00', n)" : 'n'
  const status = `case when n % 5000 = 1 then 'gone' when n % 2 = 0 then 'sold' else 'open' end`
  const insert = (into: string, columns: string, most: number) =>
    execute(
      isSqlite
        ? `insert into ${into} with recursive s(n) as (select 1 union all select n + 1 from s where n < ${most}) select ${columns} from s`
        : `insert into ${into} select ${columns} from generate_series(1, ${most}) as s(n)`,
    )
  const tens = Math.ceil(count / 10)
  const no = isSqlite ? '0' : 'false'
  await insert(
    'users (id, name, email, password, is_admin, created_at, updated_at)',
    `1000000 + n, 'seller ' || n, 'seller' || n, '-', ${no}, ${now}, ${now}`,
    tens,
  )
  await insert('categories (id, name, created_at, updated_at)', `n, 'c' || n, ${now}, ${now}`, tens)
  await insert(
    'products (id, name, note, price, status, likes, made_at, seller_id, category_id, created_at, updated_at)',
    `n, 'p' || n, 'note', ${price}, ${status}, n, ${made}, 1000000 + (n + 9) / 10, (n + 9) / 10, ${now}, ${now}`,
    count,
  )
  await insert(
    'reviews (id, rating, body, product_id, created_at, updated_at)',
    `n, case when n % 5000 = 1 then 99 else n % 5 end, 'b', (n + 1) / 2, ${now}, ${now}`,
    2 * count,
  )
  await insert('tags (id, name, created_at, updated_at)', `n, 't' || n, ${now}, ${now}`, 2 * count)
  await insert('product_tag (product_id, tag_id)', `(n + 1) / 2, n`, 2 * count)
  await execute('analyze')
}

/** `filters=` as clients send it. */
export const sentFilters = (filters: Readonly<Record<string, unknown>>): string => {
  const said = Object.entries(filters).map(([key, value]) => ({ key, value }))
  return `filters=${encodeURIComponent(Buffer.from(JSON.stringify(said)).toString('base64'))}`
}

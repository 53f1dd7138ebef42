import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import { load, databases, openProject, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'

/** A decimal is one number, whoever wrote it: the server, `prisma`, `db`, or SQL by hand. */
describe.each(databases)('decimals on %s', (name) => {
  let blog: Project
  let ann: number
  let number = 0
  // Emitted modules, whose types are not known here.
  // oxlint-disable-next-line typescript/no-explicit-any
  let prisma: any, db: any, policy: any

  const loadOwn = (path: string) => load(blog.folder, path)

  beforeAll(async () => {
    blog = await openProject('blog', name, {
      'manifest/posts.ts': (text) =>
        text
          .replace("'svckit'", "'svckit'\nimport { decimal } from 'svckit'")
          .replace('fields: {', 'fields: { price: decimal(10, 2).nullable().unique(),')
          .replace('match: {', "match: { price: 'between',")
          .replace('sort: [', "sort: ['price', "),
    })
    await generatePrismaClient(blog.folder)
    ;({ prisma } = await loadOwn('app/prisma.ts'))
    ;({ db } = await loadOwn('app/database.ts'))
    ;({ PostPolicy: policy } = await loadOwn('app/Policies/PostPolicy.ts'))
    ann = await blog.user('Ann')
  })
  beforeEach(async () => {
    await execute('delete from posts')
    Object.assign(policy, { show: () => true })
  })
  afterAll(async () => {
    await prisma.$disconnect()
    await blog.close()
  })

  const execute = (sql: string) => blog.database.query({ sql, access: 'write' }, [])
  const row = () => ({ title: `post ${String(number++)}`, owner_id: ann })
  const stamps = () => ({ created_at: new Date(), updated_at: new Date() })

  const doors = {
    'the server': async (price: string) => {
      const { status } = await blog.post('/api/svc/posts', { ...row(), price }, ann)
      if (status !== 201) throw new Error(String(status))
    },
    prisma: (price: unknown) => prisma.post.create({ data: { ...row(), price } }),
    db: (price: unknown) =>
      db
        .insertInto('posts')
        .values({ ...row(), ...stamps(), price })
        .execute(),
    'SQL by hand': (price: unknown) => {
      const now = name === 'sqlite' ? `'2026-01-01T00:00:00.000+00:00'` : 'now()'
      const { title } = row()
      return execute(
        `insert into posts (title, owner_id, price, created_at, updated_at) values ('${title}', ${String(ann)}, ${String(price)}, ${now}, ${now})`,
      )
    },
  }

  async function prices(query: string): Promise<string[]> {
    const { status, body } = await blog.get(`/api/svc/posts?perPage=100&${query}`, ann)
    expect(status).toBe(200)
    return body.data.map((post: { attributes: { price: string } }) => post.attributes.price)
  }

  const asHand = (text: string) => `'${text}'`
  const inCents = (text: string) => BigInt(text.replace('.', ''))
  const byValue = (one: string, other: string) => (inCents(one) < inCents(other) ? -1 : 1)

  const amount = fc
    .oneof(
      fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
      fc.integer({ min: -1_000, max: 1_000 }),
    )
    .map((cents) => {
      const digits = String(Math.abs(cents)).padStart(3, '0')
      return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
    })

  it('keeps its fraction below a whole number, whichever prisma reads first', async () => {
    const prices = ['47', '48.5', '48.99', '9999.01']
    for (const price of prices) await doors['the server'](price)
    const text = (rows: { price: unknown }[]) => rows.map(({ price }) => String(price))
    expect(text(await prisma.post.findMany({ orderBy: { price: 'asc' } }))).toEqual(prices)
    const inTransaction = prisma.$transaction((tx: typeof prisma) =>
      tx.post.findMany({ where: { price: { gte: '47' } }, orderBy: { price: 'asc' } }),
    )
    expect(text(await inTransaction)).toEqual(prices)
    const owners = await prisma.user.findMany({
      include: { posts: { orderBy: { price: 'asc' } } },
    })
    expect(text(owners[0].posts)).toEqual(prices)
    const sums = await prisma.post.groupBy({
      by: ['title'],
      _sum: { price: true },
      orderBy: { _sum: { price: 'asc' } },
    })
    const summed = sums.map(({ _sum }: { _sum: { price: unknown } }) => _sum)
    expect(text(summed)).toEqual(prices)
  })

  it('are sorted, matched, allowed and unique alike, whoever wrote them and whoever asks', async () => {
    const writers = Object.values(doors)
    const written = fc.uniqueArray(amount, { minLength: 4, maxLength: 9, selector: (each) => each })
    await fc.assert(
      fc.asyncProperty(written, amount, amount, async (given, low, high) => {
        await execute('delete from posts')
        Object.assign(policy, { show: () => true })
        for (const [at, price] of given.entries()) {
          const write = writers[at % writers.length]
          await write?.(write === doors['SQL by hand'] ? asHand(price) : price)
        }
        const ordered = given.toSorted(byValue)
        const within = (test: (price: bigint) => boolean) =>
          ordered.filter((price) => test(inCents(price)))
        expect(await prices('sort=price')).toEqual(ordered)
        expect(await prices('sort=-price')).toEqual(ordered.toReversed())
        expect(await prices(`sort=price&price=${low},${high}`)).toEqual(
          within((price) => price >= inCents(low) && price <= inCents(high)),
        )
        const [first = ''] = given
        const tests: [object, (price: bigint) => boolean][] = [
          [{ lt: low }, (price) => price < inCents(low)],
          [{ gte: low }, (price) => price >= inCents(low)],
          [{ in: [first, low] }, (price) => [inCents(first), inCents(low)].includes(price)],
          [{ equals: first }, (price) => price === inCents(first)],
          [{ not: first }, (price) => price !== inCents(first)],
        ]
        for (const [condition, test] of tests) {
          Object.assign(policy, { show: () => ({ price: condition }) })
          expect(await prices('sort=price')).toEqual(within(test))
        }
        Object.assign(policy, { show: () => true })

        const text = (rows: { price: { toFixed(digits: number): string } }[]) =>
          rows.map(({ price }) => price.toFixed(2))
        expect(text(await prisma.post.findMany({ orderBy: { price: 'asc' } }))).toEqual(ordered)
        const above = { where: { price: { gt: low } }, orderBy: { price: 'asc' } }
        expect(text(await prisma.post.findMany(above))).toEqual(
          within((price) => price > inCents(low)),
        )
        expect(text([await prisma.post.findUnique({ where: { price: first } })])).toEqual([first])
        const posts = db.selectFrom('posts').select('price').orderBy('price')
        expect(await posts.execute()).toEqual(ordered.map((price) => ({ price })))
        expect(await posts.where('price', '<=', low).execute()).toEqual(
          within((price) => price <= inCents(low)).map((price) => ({ price })),
        )

        for (const write of writers) {
          const again = write === doors['SQL by hand'] ? asHand(first) : first
          await expect(Promise.resolve().then(() => write(again))).rejects.toThrow(/422|nique/)
        }
      }),
      { numRuns: runs(8) },
    )
  })

  const spellings: [written: string, is: string][] = [
    ['47', '47.00'],
    [`'47'`, '47.00'],
    [`'47.000'`, '47.00'],
    ['47.0', '47.00'],
    [`'048.50'`, '48.50'],
    ['48.5', '48.50'],
    [`'4.85e1'`, '48.50'],
    ['4850e-2', '48.50'],
    [`' 48.5 '`, '48.50'],
    [`'-0'`, '0.00'],
    ['-0.0', '0.00'],
    ['99999999.99', '99999999.99'],
    [`'-99999999.99'`, '-99999999.99'],
  ]

  it.each(spellings)('%s by hand is %s', async (written, is) => {
    await doors['SQL by hand'](written)
    await expect(doors['the server'](is)).rejects.toThrow('422')
    expect(await prices(`price=${is},${is}`)).toEqual([is])
    expect(await db.selectFrom('posts').select('price').execute()).toEqual([{ price: is }])
    expect(Number((await prisma.post.findFirst()).price)).toBe(Number(is))
  })

  const refused = ['100000000', '-1e8', `'abc'`, `''`, `'47 '' or 1'`, `'1e999'`]
  // PostgreSQL rounds them.
  const tooFine = [`'48.505'`, '48.505', '0.001', '48.500000001', '0.1 + 0.2']
  const bytes = `x'34372e3030'`

  it.each(name === 'sqlite' ? [...refused, ...tooFine, bytes] : refused)(
    '%s by hand is refused by the database itself',
    async (written) => {
      await expect(doors['SQL by hand'](written)).rejects.toThrow()
      await doors['SQL by hand']('1')
      await expect(execute(`update posts set price = ${written}`)).rejects.toThrow()
      expect(await prices('')).toEqual(['1.00'])
    },
  )

  it('what has other digits is refused, or rounded by PostgreSQL, through prisma and db', async () => {
    const doorsOfCode = [doors.prisma, doors.db]
    for (const write of doorsOfCode) {
      for (const price of ['100000000', 'abc']) {
        await expect(Promise.resolve().then(() => write(price))).rejects.toThrow()
      }
    }
    if (name === 'sqlite') {
      for (const write of doorsOfCode) {
        await expect(Promise.resolve().then(() => write('48.505'))).rejects.toThrow(/constraint/i)
      }
    }
    for (const [write, price] of [
      [doors.prisma, 47],
      [doors.prisma, '048.50'],
      [doors.db, '4.9e1'],
      [doors.db, '050.0'],
    ] as const) {
      await write(price)
    }
    expect(await prices('sort=price')).toEqual(['47.00', '48.50', '49.00', '50.00'])
  })

  it('prisma reads them through a relation, and finds the sum and the largest', async () => {
    for (const price of ['0.10', '48.50', '0.20']) await doors.prisma(price)
    const { posts } = await prisma.user.findFirst({
      include: { posts: { where: { price: { gte: '0.20' } }, orderBy: { price: 'desc' } } },
    })
    expect(posts.map(({ price }: { price: unknown }) => String(Number(price)))).toEqual([
      '48.5',
      '0.2',
    ])
    const found = await prisma.post.aggregate({ _sum: { price: true }, _max: { price: true } })
    expect(found._sum.price.toFixed(2)).toBe('48.80')
    expect(found._max.price.toFixed(2)).toBe('48.50')
  })
})

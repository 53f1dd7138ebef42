/** What the schema says of values: enums, inputs with what is required, and types of computed entries. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest, type OwnManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { ask, codes } from './ask.js'

const manifest: OwnManifest = {
  manifest: 'tests/features/graphql/manifest.ts',
  files: {
    'config/svc-graphql.ts': `import { defineGraphql } from '#runtime/features/graphql/config.js'

export const graphql = defineGraphql({
  output: { resolvers: false },
  schema: { precise: true },
  introspection: true,
})
`,
    'app/Hooks/OrderHooks.ts': `import type { HooksFor, Order } from '#app/Models.js'

export const OrderHooks: HooksFor<Order> = {
  fillOnStore: { code: () => 'c' },
  computed: {
    progress: (_context, order) =>
      order.name === 'wrong'
        ? ({ share: 'much', steps: [], tag: null } as never)
        : { share: 0.5, steps: [{ name: order.name }, { name: 'b', note: 'n' }], tag: null },
    count: (_context, orders) => orders.map(({ id }) => id),
    raw: () => ({ any: ['thing'] }),
  },
}
`,
  },
}

describe.each(databases)('typed values over GraphQL on %s', (name) => {
  let shop: Project
  let ann: number
  let product: number

  beforeAll(async () => {
    shop = await openManifest(manifest, name)
    ann = await shop.user('Ann')
    product = await shop.insert('products', { name: 'P' })
  })
  afterAll(() => shop.close())

  const run = (query: string, variables: Record<string, unknown> = {}) =>
    ask(shop, query, { as: ann, variables })

  it('a select is an enum, and a name that a type has gets an ending', async () => {
    const { body } = await run('{ __schema { types { name kind enumValues { name } } } }')
    const enums = body.data.__schema.types
      .filter(
        (type: { name: string; kind: string }) => type.kind === 'ENUM' && !/^__/.test(type.name),
      )
      .map((type: { name: string; enumValues: { name: string }[] }) => [
        type.name,
        ...type.enumValues.map((value) => value.name),
      ])
    expect(enums.toSorted()).toEqual([
      ['OrderDays', 'mon', 'tue'],
      ['OrderProductGrade', 'low', 'high'],
      ['OrderSizeEnumEnum', 's', 'm'],
      ['OrderStatusEnum', 'open', 'in_work', 'done'],
    ])
  })

  it('values of an enum are written, matched and shown as they are stored', async () => {
    const create = `mutation ($input: OrderCreateInput!) { createOrder(input: $input) {
      id status size weight days code } }`
    const input = { name: 'a', status: 'in_work', days: ['tue'], weight: 'very heavy' }
    const made = await run(create, { input })
    expect(made.body.errors).toBeUndefined()
    const order = {
      ...{ status: 'in_work', size: null, weight: 'very heavy', days: ['tue'], code: 'c' },
    }
    expect(made.body.data.createOrder).toMatchObject(order)
    const { id } = made.body.data.createOrder
    const rest = await shop.get(`/api/svc/orders/${id}`, ann)
    expect(rest.body.data.attributes).toMatchObject(order)
    await run('mutation { createOrder(input: { name: "b", size: m }) { id } }')
    const found = async (match: string, variables = {}) => {
      const head = match === '$match' ? 'query ($match: OrderMatch)' : 'query'
      const { body } = await run(
        `${head} { orderList(match: ${match}, sort: "id") { name } }`,
        variables,
      )
      expect(body.errors).toBeUndefined()
      return body.data.orderList.map((one: { name: string }) => one.name)
    }
    expect(await found('{ status: in_work }')).toEqual(['a'])
    expect(await found('{ status: [in_work, open] }')).toEqual(['a', 'b'])
    expect(await found('{ not: { status: [in_work] } }')).toEqual(['b'])
    expect(await found('{ size: null }')).toEqual(['a'])
    expect(await found('{ size: [s, m] }')).toEqual(['b'])
    expect(await found('{ weight: "very heavy,true" }')).toEqual(['a'])
    expect(await found('$match', { match: { status: 'open', not: { size: 's' } } })).toEqual(['b'])
    const wrong = await run('{ orderList(match: { status: closed }) { name } }')
    expect(codes(wrong)).toEqual(['GRAPHQL_VALIDATION_FAILED'])
  })

  it('an enum of a pivot is written and shown', async () => {
    const { body } = await run(`mutation { createOrder(input: { name: "p" }) { id } }`)
    const attach = (grade: string) =>
      run(`mutation { attachOrderProducts(id: ${body.data.createOrder.id}, ids: [${product}], pivot: { grade: ${grade} }) {
        products_edges { pivot { grade } node { name } } } }`)
    const done = await attach('high')
    expect(done.body.data.attachOrderProducts.products_edges).toEqual([
      { pivot: { grade: 'high' }, node: { name: 'P' } },
    ])
    expect(codes(await attach('highest'))).toEqual(['GRAPHQL_VALIDATION_FAILED'])
  })

  it('create asks for what is required, update for nothing, and both say so as clients expect', async () => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    }
    const post = (query: string, variables = {}) =>
      shop.request('POST', '/graphql', {
        as: ann,
        headers,
        body: JSON.stringify({ query, variables }),
      })
    const literal = await post('mutation { createOrder(input: { status: open }) { id } }')
    expect([literal.status, literal.body.errors]).toMatchObject([
      400,
      [
        {
          message: 'Field "OrderCreateInput.name" of required type "String!" was not provided.',
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        },
      ],
    ])
    const create = 'mutation ($input: OrderCreateInput!) { createOrder(input: $input) { id } }'
    const variable = await post(create, { input: { status: 'open' } })
    expect([variable.status, variable.body.errors]).toEqual([
      400,
      [
        {
          message:
            'Variable "$input" is wrong: Field "name" of required type "String!" was not provided.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    ])
    // What a hook fills is not taken either.
    expect(codes(await run(create, { input: { name: 'a', code: 'x' } }))).toEqual([
      'BAD_USER_INPUT',
    ])
    const { body } = await run(create, { input: { name: 'u' } })
    const { id } = body.data.createOrder
    const update =
      'mutation ($id: ID!, $input: OrderInput!) { updateOrder(id: $id, input: $input) { name code } }'
    const changed = await run(update, { id, input: { code: 'x' } })
    expect(changed.body.data).toEqual({ updateOrder: { name: 'u', code: 'x' } })
    const long = await run(update, { id, input: { name: 'x'.repeat(21) } })
    expect(codes(long)).toEqual(['VALIDATION_FAILED'])
  })

  it('a computed entry has the type that the manifest says, or JSON', async () => {
    await run('mutation { createOrder(input: { name: "c" }) { id } }')
    const query = `{ orderList(first: 1) {
      name count raw progress { __typename share tag steps { title: name note __typename } } } }`
    const { body } = await run(query)
    expect(body.data.orderList).toEqual([
      {
        ...{ name: 'c', count: expect.any(Number), raw: { any: ['thing'] } },
        progress: {
          ...{ __typename: 'OrderProgressRecord', share: 0.5, tag: null },
          steps: [
            { title: 'c', note: null, __typename: 'OrderProgressSteps' },
            { title: 'b', note: 'n', __typename: 'OrderProgressSteps' },
          ],
        },
      },
    ])
    await run('mutation { createOrder(input: { name: "wrong" }) { id } }')
    const wrong = await run(query)
    expect(wrong.body.data.orderList[0]).toMatchObject({ name: 'wrong', progress: null })
    expect(codes(wrong)).toEqual(['INTERNAL_SERVER_ERROR'])
  })
})

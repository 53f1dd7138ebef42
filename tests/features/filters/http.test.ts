/** `reads: ['filters']`: what lists may be asked for, at an address of its own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, emitFixture, openFolder, type Project } from '../../support/project.js'
import { partsOf } from '../openapi/contract-parts.js'

/** Cy sees no prices and no owners. */
const edits: Readonly<Record<string, (text: string) => string>> = {
  'app/Policies/ProductPolicy.ts': (text) =>
    text.replace(
      /(ProductPolicy.*= \{\n)/,
      "$1  canSee: { price: (user) => user?.name !== 'Cy', owner_id: (user) => user?.name !== 'Cy' },\n",
    ),
  'app/Filters/ProductFilters.ts': (text) =>
    text
      .replace('popularity: () => null', "popularity: () => self('id')")
      .replace(/import type/, "import { self } from '#runtime/policy/condition.js'\nimport type")
      .replace(/\n\}\n$/, "\n  canSee: { ready: (user) => user?.name !== 'Cy' },\n}\n"),
}

describe.each(databases)('what can be asked on %s', (name) => {
  let project: Project
  let ann: number
  let cy: number

  beforeAll(async () => {
    const folder = await emitFixture('features/filters', name)
    for (const [path, edit] of Object.entries(edits)) {
      const file = join(folder, path)
      writeFileSync(file, edit(readFileSync(file, 'utf8')))
    }
    project = await openFolder(folder, name)
    ann = await project.user('Ann')
    cy = await project.user('Cy')
  })
  afterAll(() => project.close())
  const ask = (path: string, as?: number) => project.get(`/api/svc/${path}`, as)

  it('labels and placeholders of fields are in the document, for those who make forms', async () => {
    const { schemas } = JSON.parse(
      readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8'),
    ).components
    const texts = { title: 'Net price', description: 'Without tax.', 'x-placeholder': '9.99' }
    expect(schemas.ProductStore.properties.price).toMatchObject(texts)
    expect(schemas.Product.properties.price).toMatchObject(texts)
  })

  it('is listed with kinds, comparisons, options and words for people', async () => {
    const { status, body, statements } = await ask('products/filters', ann)
    expect(status).toBe(200)
    const compared = ['equals', 'not', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'isNull']
    const chosen = ['equals', 'not', 'in', 'notIn', 'isNull']
    expect(body.data).toEqual({
      matches: [
        { key: 'id', label: 'Id', kind: 'integer', type: 'integer', operators: compared },
        {
          key: 'status',
          label: 'Status',
          kind: 'select',
          options: ['open', 'gone'],
          operators: chosen,
        },
        {
          key: 'price',
          label: 'Net price',
          placeholder: '9.99',
          description: 'Without tax.',
          kind: 'decimal',
          type: 'between',
          operators: compared,
        },
        {
          key: 'owner_id',
          label: 'Owner id',
          kind: 'integer',
          type: 'integer',
          operators: compared,
          repository: 'users',
        },
        { key: 'popular', label: 'Liked by many', kind: 'boolean', placeholder: 'yes' },
      ],
      sortables: [
        {
          ...{ key: 'price', label: 'Net price', placeholder: '9.99' },
          description: 'Without tax.',
        },
        { key: 'owner.name', label: 'Owner name' },
        { key: 'popularity', label: 'Popularity', description: 'How often it was liked.' },
        { key: 'reviews.count', label: 'Reviews count' },
      ],
      searchables: [
        { key: 'name', label: 'Name' },
        { key: 'owner.name', label: 'Owner name' },
      ],
      filters: [
        { key: 'ready', label: 'Ready to ship', kind: 'select', options: ['now', 'later'] },
      ],
    })
    // The token's.
    expect(statements.length).toBeLessThanOrEqual(1)
  })

  it('only names some of the lists', async () => {
    const { body } = await ask('products/filters?only=filters,%20sortables', ann)
    expect(Object.keys(body.data)).toEqual(['sortables', 'filters'])
    const { body: users } = await ask('users/filters?only[]=matches&only[]=searchables', ann)
    expect(users.data).toEqual({
      matches: [
        {
          key: 'name',
          label: 'Name',
          description: 'As they are called.',
          kind: 'text',
          type: 'partial',
          operators: expect.arrayContaining(['startsWith']),
        },
      ],
      searchables: [{ key: 'name', label: 'Name', description: 'As they are called.' }],
    })
  })

  it('what it does not know is 400', async () => {
    for (const query of ['only=sorts', 'only=__proto__', 'only=matches,x', 'page=1', 'onyl=x']) {
      const { status } = await ask(`products/filters?${query}`, ann)
      expect(status, query).toBe(400)
    }
    const { body } = await ask('products/filters?only=sorts', ann)
    expect(body.message).toBe(
      "The only parameter names 'sorts', and knows matches, sortables, searchables, filters.",
    )
  })

  it('says nothing of what a gate hides', async () => {
    const { body } = await ask('products/filters', cy)
    const keys = Object.values<{ key: string }[]>(body.data).map((all) => all.map(({ key }) => key))
    expect(keys).toEqual([
      ['id', 'status', 'popular'],
      ['popularity', 'reviews.count'],
      ['name'],
      [],
    ])
  })

  it('is read as the list is: without a token where that is public', async () => {
    expect((await ask('products/filters')).status).toBe(200)
    expect((await ask('users/filters')).status).toBe(401)
    // A repository without it has a record of that id, or none.
    expect((await ask('reviews/filters', ann)).status).toBe(404)
    expect((await project.post('/api/svc/products/filters', {}, ann)).status).toBe(405)
  })

  it('is answered as the document has it', async () => {
    const { contract } = await partsOf(project.folder)
    const asked = contract.operations.filter(({ path }) => path.endsWith('/filters'))
    expect(asked.map(({ id }) => id)).toEqual([
      'filtersCountries',
      'filtersProducts',
      'filtersUsers',
    ])
    for (const operation of asked) {
      const headers = { authorization: `Bearer ${project.token(ann)}` }
      const response = await project.fetch(new Request(`http://x${operation.path}`, { headers }))
      expect(response.status).toBe(200)
      expect(await contract.problemOf(operation, response)).toBeNull()
    }
  })
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import type { FieldErrors } from '../../errors.js'
import type { Resource } from '../../model/resource.js'
import { read, somebody, type Client } from '../client.js'
import type { Row, Tested, Values } from '../tested.js'

/**
 * Tests the values that a repository takes and shows, besides svc's decisions; everybody may do
 * everything.
 */
export function testFields<User extends Row>(entry: Tested<User>, client: Client<User>): void {
  const { key, repository, make, writes, required, refused, attributes, sort, match, query } = entry
  const { definition } = repository
  const path = `/api/svc/${key}`

  test('takes what it should from a request, and nothing else', () => {
    const where = `rules of '${key}', and \`writes\` of it in tests/repositories.ts`
    expect(Object.keys(definition.rules).toSorted(), where).toEqual(writes.toSorted())
  })

  test('asks for its required fields, and for no other', () => {
    const rules = Object.entries(definition.rules)
    const asked = rules.filter(
      ([, rule]) => rule !== undefined && !z.safeParse(rule, undefined).success,
    )
    const where = `rules of '${key}', and \`required\` of it in tests/repositories.ts`
    expect(asked.map(([name]) => name).toSorted(), where).toEqual(required.toSorted())
  })

  test.runIf(entry.isPublic === true && client.signIn !== undefined)(
    'is readable without a token',
    async () => {
      const { id } = await make({})
      for (const read of [path, `${path}/${String(id)}`]) {
        expect((await client.sendAsNobody('GET', read)).status, `GET ${read}`).toBe(200)
      }
    },
  )

  test('sorts and filters its list by what it should, and by nothing else', () => {
    const where = `of '${key}', and the same of it in tests/repositories.ts`
    expect(definition.sort?.toSorted() ?? [], `sort ${where}`).toEqual(sort.toSorted())
    expect({ ...definition.match?.types }, `match ${where}`).toEqual(match)
  })

  test('refuses what is no value of a field', async () => {
    const { send } = await somebody(client)
    const row = written(await make({}), writes)
    for (const [name, values] of Object.entries(refused)) {
      for (const value of values) {
        const response = await send('POST', path, { ...row, [name]: value })
        const said = `${name}: ${JSON.stringify(value).slice(0, 80)}`
        expect(response.status, said).toBe(422)
        const { errors } = await read<{ errors: FieldErrors }>(response)
        expect(Object.keys(errors).map(fieldOf), said).toContain(name)
      }
    }
  })

  test('shows its attributes, and no other column', async () => {
    const { send } = await somebody(client)
    const { id } = await make({})
    const { data } = await read<{ data: Resource }>(await send('GET', `${path}/${String(id)}`))
    expect(Object.keys(data.attributes).toSorted()).toEqual(attributes.toSorted())
    if (query == null) return
    // GraphQL shows the members of REST's `meta` by the names of their columns.
    const ofMeta = definition.extensions.flatMap(({ says }) => Object.values(says?.meta ?? {}))
    const shown = new Set(['id', ...attributes, ...entry.related, ...ofMeta])
    for (const name of [...definition.columns.keys()].filter((each) => !shown.has(each))) {
      const asked = { query: `{ ${query}(id: "${String(id)}") { ${name} } }` }
      const { errors } = await read<{ errors?: unknown }>(await send('POST', '/graphql', asked))
      expect(errors, `GraphQL has no '${name}' of '${key}'`).toBeDefined()
    }
  })
}

const written = (row: object, writes: readonly string[]): Values =>
  Object.fromEntries(Object.entries(row).filter(([name]) => writes.includes(name)))

/** An error about a list names the place in it. */
const fieldOf = (place: string) => place.split('.')[0]

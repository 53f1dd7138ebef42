/** The client code of *Try* compiles with the client that `svc client` writes. */
import { expect, test } from 'vitest'
import { openapiDocument } from '../../generator/features/openapi/document.js'
import { blueprintOf, root } from '../core/plan/fixture.js'
import { checkClient, clientOf } from '../features/client/check-client.js'
import { describeProject } from '../support/with-features.js'

interface Schema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Operation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly parameters: readonly { name: string; in: string; schema: Schema }[]
  readonly body: Schema | null
  readonly security: readonly object[]
}

/** The page has no types: it is served as it is written. */
const page = `${root}runtime/features/docs/page`
const { readDocument, whole } = await import(`${page}/document.js`)
const { clientCode, curl } = await import(`${page}/snippets.js`)

/** Something that one might write into the input of a parameter. */
function sampleOf(schema: Schema, follow: (schema: Schema) => Schema): string {
  const { type, anyOf, items, enum: options, pattern = '', minItems = 1 } = follow(schema)
  if (anyOf !== undefined) return sampleOf(anyOf[0] ?? {}, follow)
  if (options !== undefined) return String(options[0])
  if (items !== undefined) return Array(minItems).fill(sampleOf(items, follow)).join(',')
  const [name] = /(?<=^\^ \*\()[^)|]+/.exec(pattern) ?? []
  if (name !== undefined) return name
  if (type === 'boolean') return 'true'
  return type === 'string' && pattern === '' ? "it's" : '1'
}

/** All that may be sent. */
function bodyOf(schema: Schema, follow: (schema: Schema) => Schema, depth = 0): unknown {
  const { type, anyOf, items, enum: options, properties }: Schema = whole(schema, follow)
  if (anyOf !== undefined) return bodyOf(anyOf[0] ?? {}, follow, depth)
  if (options !== undefined) return options[0]
  if (items !== undefined) return [bodyOf(items, follow, depth)]
  if (properties !== undefined) {
    // A tree has trees.
    const members = depth === 3 ? [] : Object.entries(properties)
    return Object.fromEntries(
      members.map(([name, each]) => [name, bodyOf(each, follow, depth + 1)]),
    )
  }
  const [kind = 'string'] = [type ?? []].flat()
  const samples: Readonly<Record<string, unknown>> = {
    object: {},
    boolean: true,
    integer: 1,
    number: 1,
  }
  return samples[kind] ?? 'text'
}

test.each([
  ['blog', /./, 50],
  ['every-kind', /./, 50],
  ['awkward-names', /./, 50],
  ['features/bulk', /^bulk/, 5],
  ['features/versions', /./, 10],
  ['features/soft-deletes', /./, 10],
  ['features/dry-run', /./, 10],
  ['features/custom-filters', /./, 10],
  ['features/sparse', /./, 10],
  ['features/cursors', /./, 5],
] as const)(
  'every operation of %s that the client has is shown as a call of it that compiles',
  async (fixture, only, least) => {
    const blueprint = await blueprintOf(fixture, 'sqlite')
    const project = describeProject(blueprint, { name: fixture, svckit: '10.0.0' })
    const model = readDocument(JSON.parse(await openapiDocument(project)))
    const follow: (schema: Schema) => Schema = model.follow
    const all: readonly Operation[] = model.operations
    const operations = all.filter(({ id }) => only.test(id))
    const shown = operations.map((operation) => {
      const given = (place: string) => operation.parameters.filter((each) => each.in === place)
      const query = given('query').map(({ name, schema }) => [
        name,
        name.endsWith('[sort]') ? 'id' : sampleOf(schema, follow),
      ])
      const { body } = operation
      const request = {
        ...{ base: 'http://127.0.0.1', operation, model, token: null },
        ids: given('path').map(() => '1'),
        query: Object.fromEntries(query),
        body: body === null ? undefined : JSON.stringify(bodyOf(body, follow)),
        hasToken: operation.security.length > 0,
      }
      return { id: operation.id, tag: operation.tag, code: String(clientCode(request)) }
    })
    const none = shown.filter(({ code }) => code === '').map(({ id }) => id)
    expect(none).toMatchSnapshot('shown as curl only')
    expect(shown.length - none.length).toBeGreaterThan(least)
    const written = shown.filter(({ code }) => code !== '')
    const calls = written.map(({ id, code }) => ({
      path: `${fixture}/try-${id}.ts`,
      content: `${code}\nexport {}\n`,
    }))
    const client = await clientOf(blueprint, `${fixture}/api`)
    expect(checkClient([...client, ...calls])).toBe('')
  },
)

test('a body and a token are in the request for a shell, with quotes that hold', () => {
  const request = { method: 'POST', url: 'http://127.0.0.1/api/svc/posts', hasToken: true }
  expect(curl({ ...request, token: null, body: `{"title":"it's"}` })).toBe(
    [
      `curl -X POST 'http://127.0.0.1/api/svc/posts' \\`,
      `  -H "Authorization: Bearer $TOKEN" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"title":"it'\\''s"}'`,
    ].join('\n'),
  )
})

/** Field kinds that one pattern tells: what a request may send, and what becomes of it, by the samples of each. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../../generator/kinds/kinds.js'
import { manifestText, openManifestText } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const formed = kinds.flatMap(({ name, told, rule, preset }) =>
  told === null || rule.name !== 'formed' ? [] : [{ name, preset, ...told }],
)

const example = ({ samples }: (typeof formed)[number]) => samples.values[0]

const repositories = `things: repository({
  match: { ${formed.map(({ name }) => `a_${name}: 'text'`).join(', ')} },
  searchable: [${formed.map(({ name }) => `'a_${name}'`).join(', ')}],
  sort: [${formed.map(({ name }) => `'a_${name}'`).join(', ')}],
  fields: {
    ${formed.map((kind) => `a_${kind.name}: ${kind.name}().nullable(),`).join('\n    ')}
    ${formed.map((kind) => `own_${kind.name}: ${kind.name}().unique().nullable(),`).join('\n    ')}
    ${formed.map((kind) => `given_${kind.name}: ${kind.name}().default('${example(kind)}'),`).join('\n    ')}
  },
}),`

const path = '/api/svc/things'

describe.each(databases)('on %s', (database) => {
  let project: Project
  let document: { components: { schemas: Record<string, { properties: Record<string, unknown> }> } }
  beforeAll(async () => {
    project = await openManifestText(
      manifestText(repositories, database, 'openapi: true,'),
      {},
      database,
    )
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    document = JSON.parse(text)
  })
  afterAll(() => project.close())

  describe.each(formed)('a field of the kind $name', (kind) => {
    const { name, preset, pattern, samples } = kind
    const field = `a_${name}`
    const wrong = [`The a ${name} must be ${preset.says}.`]

    test.each(samples.values)('keeps %j, answers it and finds it', async (value) => {
      const made = await project.post(path, { [field]: value })
      expect(made.status).toBe(201)
      const { id, attributes } = made.body.data
      expect(attributes).toMatchObject({ [field]: value, [`given_${name}`]: example(kind) })
      const found = await project.get(`${path}?${field}=${encodeURIComponent(value)}`)
      expect(found.body.data.map((each: { id: string }) => each.id)).toContain(id)
    })

    test.each([...samples.others, ` ${example(kind)}`, `${example(kind)}\n`, '\0', '\ud800'])(
      'refuses %j in a body and in a manifest, and says what it takes',
      async (text) => {
        const { status, body } = await project.post(path, { [field]: text })
        expect([status, body.errors]).toEqual([422, { [field]: wrong }])
        expect(preset.read(text)).toBeUndefined()
      },
    )

    test('refuses what is no text', async () => {
      const { status, body } = await project.post(path, { [field]: 5 })
      expect([status, body.errors]).toEqual([422, { [field]: [`The a ${name} must be text.`] }])
    })

    test('has no two records with the same where it is unique', async () => {
      const send = () => project.post(path, { [`own_${name}`]: example(kind) })
      expect((await send()).status).toBe(201)
      expect((await send()).body.errors).toEqual({
        [`own_${name}`]: [`The own ${name} has already been taken.`],
      })
    })

    test('is String in GraphQL, with the same rule', async () => {
      const query = `mutation ($given: String) { createThing(input: { ${field}: $given }) { ${field} } }`
      const send = async (given: string) => {
        const body = JSON.stringify({ query, variables: { given } })
        const headers = { 'content-type': 'application/json' }
        return (await project.request('POST', '/graphql', { body, headers })).body
      }
      expect((await send(samples.values[0] ?? '')).data.createThing[field]).toBe(example(kind))
      expect(JSON.stringify((await send(samples.others[0] ?? '')).errors)).toContain(wrong[0])
    })

    test('has its pattern in the document', () => {
      const { properties } = document.components.schemas['ThingPatch'] ?? {}
      expect(properties?.[field]).toMatchObject({ type: ['string', 'null'], pattern })
      expect(samples.values.filter((each) => !new RegExp(pattern, 'u').test(each))).toEqual([])
      expect(samples.others.filter((each) => new RegExp(pattern, 'u').test(each))).toEqual([])
    })
  })
})

/** The page /docs shows an input for each part of a union in the document. */
import { expect, test } from 'vitest'
import { openapiDocument } from '../../generator/features/openapi/document.js'
import { blueprintOf, root } from '../core/plan/fixture.js'
import { describeProject } from '../support/with-features.js'

/** The page has no types: it is served as it is written. */
const page = `${root}runtime/features/docs/page`
const { readDocument, readable, typeWords, whole } = await import(`${page}/document.js`)

test('text or a number is one field of both, an id or a list of ids is a list, JSON is any value', async () => {
  const blueprint = await blueprintOf('every-kind', 'sqlite')
  const project = describeProject(blueprint, { name: 'every-kind', svckit: '10.0.0' })
  const { byId, follow } = readDocument(JSON.parse(await openapiDocument(project)))
  const fieldsOf = (id: string) => whole(byId.get(id).body, follow).properties
  const { json, maybe_json, decimal, maybe_decimal, maybe_big_integer } = fieldsOf('patchSample')
  const typeOf = (schema: unknown) => readable(schema, follow).type
  expect([maybe_json, decimal, maybe_decimal, maybe_big_integer].map(typeOf)).toEqual([
    ['object', 'null'],
    ['string', 'number'],
    ['string', 'number', 'null'],
    ['string', 'integer', 'null'],
  ])
  expect(readable(maybe_decimal, follow)).toMatchObject({ minimum: -99999, maximum: 99999 })
  expect(typeWords(maybe_decimal, follow)).toBe('decimal, from -99999, to 99999, may be empty')
  expect(typeWords(json, follow)).toBe('any value')
  const id = { $ref: '#/components/schemas/Id' }
  expect(typeWords({ anyOf: [id, { type: 'null' }] }, follow)).toBe('id, from 1, may be empty')
  const list = { type: 'array', items: id }
  expect(readable({ anyOf: [id, list] }, follow)).toEqual(list)
})

/** The field kind `phone()`: what a request may send, and what becomes of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
const path = '/api/svc/calls'

describe.each(databases)('a phone number on %s', (name) => {
  let project: Project
  beforeAll(async () => {
    project = await openManifest({ manifest: 'tests/core/http/manifests/phones.ts' }, name)
  })
  afterAll(() => project.close())

  test.each([
    ['+393331234567', '+393331234567'],
    [' +39 (333) 123-45.67\n', '+393331234567'],
    ['+ 44 [20] 7946\u2013\u00a00958', '+442079460958'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
  ])('%j is kept and answered as %s', async (sent, number) => {
    const made = await project.post(path, { number: sent })
    expect(made.status).toBe(201)
    const { id, attributes } = made.body.data
    expect(attributes).toMatchObject({ number, line: null, office: '+39061234567' })
    const read = await project.get(`${path}/${id}`)
    expect(read.body.data.attributes.number).toBe(number)
    for (const asked of ['number', 'search']) {
      const found = await project.get(`${path}?${asked}=${encodeURIComponent(number)}`)
      expect(found.body.data.map((each: { id: number }) => each.id)).toContain(id)
    }
    const changed = await project.request('PATCH', `${path}/${id}`, {
      body: JSON.stringify({ number: '+49-30-1234567' }),
      headers: { 'content-type': 'application/json' },
    })
    expect(changed.body.data.attributes.number).toBe('+49301234567')
  })

  const wrong = 'The number must be an international phone number: + and 7 to 15 digits.'

  test.each([
    ['', wrong],
    ['+', wrong],
    ['3331234567', wrong],
    ['00393331234567', wrong],
    ['+0393331234567', wrong],
    ['++393331234567', wrong],
    ['+39333+1234567', wrong],
    ['+123456', wrong],
    ['+1234567890123456', wrong],
    ['+39 333 CALLME1', wrong],
    ['+٣٩٣٣٣١٢٣٤٥٦٧', wrong],
    ['tel:+393331234567', wrong],
    ['+393331234567\u0000', wrong],
    ['+393331234567\ud800', wrong],
    [393331234567, 'The number must be text.'],
    [null, 'The number must not be null.'],
  ])('%j is 422', async (number, error) => {
    const { status, body } = await project.post(path, { number })
    expect([status, body.errors]).toEqual([422, { number: [error] }])
  })

  test('is as long as its field says, and no two are alike however they are written', async () => {
    const send = async (line: string) => project.post(path, { number: '+1234567', line })
    expect((await send('+39 06 12-34-56')).status).toBe(201)
    expect((await send('(+39) 06123456')).body.errors).toEqual({
      line: ['The line has already been taken.'],
    })
    expect((await send('+393331234567')).body.errors).toEqual({
      line: ['The line must not be longer than 12 characters.'],
    })
  })

  test('is String in GraphQL, with the same rule', async () => {
    const query = `mutation ($number: String!) { createCall(input: { number: $number }) { id number } }`
    const send = async (number: string) => {
      const body = JSON.stringify({ query, variables: { number } })
      const headers = { 'content-type': 'application/json' }
      return (await project.request('POST', '/graphql', { body, headers })).body
    }
    expect((await send('+39 333 1234567')).data.createCall.number).toBe('+393331234567')
    expect(JSON.stringify((await send('333 1234567')).errors)).toContain(wrong)
  })

  test('is a string of the format phone in the document, in answers and in bodies', () => {
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const { schemas } = JSON.parse(text).components
    expect(schemas.Call.properties.number).toEqual({ type: 'string', format: 'phone' })
    const { number, line } = schemas.CallPatch.properties
    expect(number).toMatchObject({ type: 'string', format: 'phone' })
    expect(line).toMatchObject({ type: ['string', 'null'], format: 'phone' })
    const taken = ['+393331234567', ' +39 (333) 123-45.67', '(+39) 06 1234', '+123456789012345']
    const refused = ['3331234567', '+0391234567', '+123456', '+1234567890123456', '+39 a']
    const isTaken = (each: string) => new RegExp(number.pattern, 'u').test(each)
    expect(taken.filter((each) => !isTaken(each))).toEqual([])
    expect(refused.filter(isTaken)).toEqual([])
    const fitting = ['+39 06 12-34-56', '+393331234567'].map((each) =>
      new RegExp(line.pattern, 'u').test(each),
    )
    expect(fitting).toEqual([true, false])
  })
})

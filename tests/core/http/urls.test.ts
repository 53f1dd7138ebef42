/** The field kind `url()`: what a request may send, and what becomes of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
const path = '/api/svc/links'

describe.each(databases)('a URL on %s', (name) => {
  let project: Project
  beforeAll(async () => {
    project = await openManifest({ manifest: 'tests/core/http/manifests/urls.ts' }, name)
  })
  afterAll(() => project.close())

  test.each([
    'https://example.com',
    'http://localhost:3000/a?b=c@d#e',
    'HTTPS://Example.COM/%20',
    'https://de.wikipedia.org/wiki/Köln',
    'https://[::1]/',
    `https://x.org/it's?a="b"&c=<d>`,
  ])('%s is kept as it was sent', async (address) => {
    const made = await project.post(path, { address })
    expect(made.status).toBe(201)
    const { id, attributes } = made.body.data
    expect(attributes).toMatchObject({ address, short: null, home: 'https://example.com' })
    const read = await project.get(`${path}/${id}`)
    expect(read.body.data.attributes.address).toBe(address)
    const found = await project.get(`${path}?address=${encodeURIComponent(address)}`)
    expect(found.body.data.map((each: { id: number }) => each.id)).toContain(id)
  })

  test('blanks around it go', async () => {
    const { body } = await project.post(path, { address: ' https://example.com/a\n' })
    expect(body.data.attributes.address).toBe('https://example.com/a')
  })

  const foreign = 'The address must be an http or https URL.'
  const unstorable = 'The address must not contain characters that cannot be stored.'
  const unplain = 'The address must be an http or https URL without blanks, a name or a password.'

  test.each([
    ['', foreign],
    ['example.com', foreign],
    ['/about', foreign],
    ['//example.com', foreign],
    ['javascript:alert(1)', foreign],
    ['JavaScript://example.com/%0aalert(1)', foreign],
    ['data:text/html,x', foreign],
    ['ftp://example.com', foreign],
    ['https://', foreign],
    ['https://exa mple.com', foreign],
    ['https://example.com:99999', foreign],
    ['https://1.2.3.999', foreign],
    ['https:example.com', foreign],
    ['https:\\\\example.com', foreign],
    ['https://example.com\\@evil.org', unplain],
    ['https://ada:secret@example.com', unplain],
    ['https://ada@example.com', unplain],
    ['https://example.com/a b', unplain],
    ['https://example.com/\u0000', unstorable],
    ['https://example.com/\u0085', unplain],
    [
      'https://example.com/\ud800',
      'The address must not contain characters that cannot be stored.',
    ],
    [7, 'The address must be text.'],
    [null, 'The address must not be null.'],
  ])('%j is 422', async (address, error) => {
    const { status, body } = await project.post(path, { address })
    expect([status, body.errors]).toEqual([422, { address: [error] }])
  })

  test('is no longer than its field says, and no two are alike where that says so', async () => {
    const most = `https://example.com/${'x'.repeat(2028)}`
    expect((await project.post(path, { address: most })).body.data.attributes.address).toBe(most)
    expect((await project.post(path, { address: `${most}x` })).body.errors).toEqual({
      address: ['The address must not be longer than 2048 characters.'],
    })
    const address = 'https://example.com'
    const send = async (short: string) => project.post(path, { address, short })
    expect((await send('https://example.org/')).status).toBe(201)
    expect((await send('https://example.org/')).body.errors).toEqual({
      short: ['The short has already been taken.'],
    })
    expect((await send('https://example.org/x')).body.errors).toEqual({
      short: ['The short must not be longer than 20 characters.'],
    })
  })

  test('is String in GraphQL, with the same rule', async () => {
    const query = `mutation ($address: String!) { createLink(input: { address: $address }) { id address } }`
    const send = async (address: string) => {
      const body = JSON.stringify({ query, variables: { address } })
      const headers = { 'content-type': 'application/json' }
      return (await project.request('POST', '/graphql', { body, headers })).body
    }
    expect((await send('https://example.com/g')).data.createLink.address).toBe(
      'https://example.com/g',
    )
    const { errors } = await send('javascript:alert(1)')
    expect(JSON.stringify(errors)).toContain(foreign)
  })

  test('is a string of the format uri in the document, in answers and in bodies', () => {
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const { schemas } = JSON.parse(text).components
    const shown = schemas.Link.properties
    expect(shown.address).toEqual({ type: 'string', format: 'uri' })
    const sent = schemas.LinkPatch.properties
    expect(sent.address).toMatchObject({ type: 'string', format: 'uri', maxLength: 2048 })
    expect(sent.short).toMatchObject({ type: ['string', 'null'], format: 'uri', maxLength: 20 })
    const pattern = new RegExp(sent.address.pattern, 'u')
    const taken = ['https://example.com', 'HTTP://[::1]:80?a@b', 'https://x.org/ö']
    const refused = ['javascript:alert(1)', 'https://a@b.c', 'https://a b.c', 'https:a.b']
    expect(taken.filter((each) => !pattern.test(each))).toEqual([])
    expect(refused.filter((each) => pattern.test(each))).toEqual([])
  })
})

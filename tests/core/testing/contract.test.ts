import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readContract } from '../../../runtime/testing/contract/read-contract.js'
import {
  addressOf,
  contentOf,
  queryOf,
  rightRequests,
} from '../../../runtime/testing/contract/requests.js'
import { spoiledRequests } from '../../../runtime/testing/contract/spoiled-requests.js'
import { root } from '../plan/fixture.js'

const contract = readContract(join(root, 'fixtures/blog/expected/app/OpenApi/openapi.json'), () => [
  '7',
  '9',
])

function operation(id: string) {
  const found = contract.operations.find((each) => each.id === id)
  if (found === undefined) throw new Error(`the document has no '${id}'`)
  return found
}

test('what is made of a schema is what it says, and what is spoiled is not', () => {
  const bodies = contract.operations.flatMap(({ body }) => (body === null ? [] : [body]))
  expect(bodies.length).toBeGreaterThan(50)
  for (const body of bodies) {
    const isRight = (value: unknown) => contract.isValid(body, value)
    const [right, spoiled] = [contract.valueOf(body), contract.spoiledOf(body)]
    fc.assert(fc.property(right, isRight), { numRuns: 5 })
    fc.assert(
      fc.property(spoiled, (value) => !isRight(value)),
      { numRuns: 5 },
    )
  }
})

test('requests are spoiled in every place that an operation has', () => {
  const ways = (id: string) => {
    const sent = fc.sample(spoiledRequests(contract, operation(id)), 500)
    expect(sent.every(({ isRight }) => !isRight)).toBe(true)
    return new Set(sent.map(({ what }) => what))
  }
  const ofBody = ['body', 'content type', 'length', 'malformed']
  expect(ways('showPost')).toEqual(new Set(['path', 'query', 'unknown parameter']))
  expect(ways('patchPost')).toEqual(new Set([...ofBody, 'path', 'unknown parameter']))
  expect(ways('indexPosts')).toEqual(new Set(['query', 'unknown parameter']))
})

test('an address has the ids that are known, or a text as it is sent', () => {
  const [sent] = fc.sample(rightRequests(contract, operation('showCommentOfPost')), 1)
  const path = { id: 3, relatedId: '%00' }
  const address = addressOf(
    operation('showCommentOfPost'),
    { ...contentOf(undefined), what: '', isRight: true, ...sent, path, query: '?a=1' },
    (name, at) => `${name}${at}`,
  )
  expect(address).toBe('/api/svc/posts/id3/comments/%00?a=1')
  expect(
    queryOf([
      ['sort', ['a', '-b']],
      ['filter[x]', 'c,d e'],
    ]),
  ).toBe('?sort=a,-b&filter%5Bx%5D=cd%20e')
})

test('a word of the document is sent whole, with a comma in it', () => {
  const document = 'fixtures/features/upsert/expected/app/OpenApi/openapi.json'
  const upserting = readContract(join(root, document), () => ['7'])
  const store = upserting.operations.find(({ id }) => id === 'storeProduct')
  if (store === undefined) throw new Error('no operation makes products')
  const sent = fc.sample(rightRequests(upserting, store), 200).map(({ query }) => query)
  const keys = sent.flatMap((query) => new URLSearchParams(query).getAll('upsertBy'))
  expect(new Set(keys)).toEqual(new Set(['sku', 'company_id,code']))
})

test.each([
  [Response.json({ message: 'No.' }, { status: 404 }), null],
  [Response.json({ message: 'Tea.' }, { status: 418 }), /^418, which is not in the document: /],
  [Response.json({ data: { id: 7 } }), /^200: data\/data.* in \{"data":\{"id":7\}\}$/],
])('an answer is held to its status and its schema', async (response, problem) => {
  const found = await contract.problemOf(operation('showPost'), response)
  if (problem === null) expect(found).toBeNull()
  else expect(found).toMatch(problem)
})

test('where there is no body, none may be sent', async () => {
  const answer = (text: string) => ({ status: 204, clone: () => ({ text: async () => text }) })
  const problemOf = (text: string) =>
    contract.problemOf(operation('deletePost'), answer(text) as unknown as Response)
  expect(await problemOf('')).toBeNull()
  expect(await problemOf('{}')).toBe('a body, and there should be none: {}')
})

import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Operation, Parameter } from './operations.js'
import type { Contract } from './read-contract.js'
import { contentOf, rightRequests, type Sent } from './requests.js'
import type { Data } from './schema.js'

type Change = readonly [what: string, changes: Arbitrary<Partial<Sent>>]

/** Requests that are wrong in one thing. */
export function spoiledRequests(contract: Contract, operation: Operation): Arbitrary<Sent> {
  const { body, parameters } = operation
  const right = rightRequests(contract, operation)
  const changes: readonly Change[] = [
    ['unknown parameter', strangers.map((query) => ({ query }))],
    ...inPath(parameters.filter((each) => each.in === 'path')),
    ...inQuery(parameters.filter((each) => each.in === 'query')),
    ...inHeaders(parameters.filter((each) => each.in === 'header')),
    ...(body === null ? [] : inBody(contract, body)),
  ]
  const spoil = ([what, changed]: Change) =>
    fc
      .tuple(right, changed)
      .map(([sent, change]): Sent => ({ ...sent, isRight: false, what, ...change }))
  return fc.oneof(...changes.map(spoil))
}

const strangers = fc
  .tuple(
    fc.constantFrom(
      ...['nothing', 'limit', 'filter', 'filter[nothing]', 'nothing[]', 'constructor', '__proto__'],
    ),
    fc.constantFrom('1', 'x', ''),
  )
  .map(([name, value]) => `?${encodeURIComponent(name)}=${value}`)

const wrongIds = [
  ...['nothing', '0', '-1', '1.5', '2147483647', '99999999999', '%E0%A4%A', '%00'],
  '00000000-0000-4000-8000-000000000000',
]

function inPath(named: readonly Parameter[]): readonly Change[] {
  if (named.length === 0) return []
  const names = named.map(({ name }) => name)
  const changes = fc
    .tuple(fc.constantFrom(...wrongIds), fc.constantFrom(...names))
    .map(([id, name]) => ({ path: { [name]: id } }))
  return [['path', changes]]
}

const wrongTexts = ['', 'nothing', '0', '-1', '1e400', 'null', 'a,b,c', '%00', '[', 'x'.repeat(300)]

function inQuery(asked: readonly Parameter[]): readonly Change[] {
  if (asked.length === 0) return []
  const changes = fc
    .tuple(fc.constantFrom(...asked), fc.constantFrom(...wrongTexts))
    .map(([{ name }, text]) => ({ query: `?${encodeURIComponent(name)}=${text}` }))
  return [['query', changes]]
}

function inHeaders(asked: readonly Parameter[]): readonly Change[] {
  if (asked.length === 0) return []
  const changes = fc
    .tuple(fc.constantFrom(...asked), fc.constantFrom('nothing', '0', ',', '"', 'W/"1"'))
    .map(([{ name }, text]) => ({ headers: { [name]: text } }))
  return [['header', changes]]
}

function inBody(contract: Contract, schema: Data): readonly Change[] {
  const malformed = fc.constantFrom('', '{', 'null', '[]', '"text"', '7')
  const types = fc.constantFrom('text/plain', 'application/json; charset=latin1')
  const tooLong = { 'content-type': 'application/json', 'content-length': '999999999' }
  return [
    ['body', contract.spoiledOf(schema).map(contentOf)],
    ['malformed', malformed.map((text) => ({ body: text }))],
    ['content type', types.map((type) => ({ headers: { 'content-type': type } }))],
    ['length', fc.constant({ headers: tooLong })],
  ]
}

import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Operation } from './operations.js'
import type { Contract } from './read-contract.js'
import { dataIn } from './schema.js'

/** A request, and whether the document allows all of it. */
export interface Sent {
  readonly what: string
  readonly isRight: boolean
  readonly query: string
  /** By parameter: which of the ids that are known, or a text that is sent as it is. */
  readonly path: Readonly<Record<string, number | string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Requests as the document has them. */
export function rightRequests(contract: Contract, operation: Operation): Arbitrary<Sent> {
  const body = operation.body === null ? fc.constant(undefined) : contract.valueOf(operation.body)
  return fc
    .tuple(pathsOf(operation), queriesOf(contract, operation), body, headersOf(contract, operation))
    .map(([path, query, sent, more]) => {
      const { headers, body: text } = contentOf(sent)
      return {
        ...{ what: 'right', isRight: true, path, query },
        ...{ headers: { ...headers, ...more }, body: text },
      }
    })
}

/** Returns the required headers, and some of the others. */
function headersOf(contract: Contract, { parameters }: Operation) {
  const asked = parameters.filter((each) => each.in === 'header')
  const values = asked.map(
    ({ name, schema }) => [name, contract.valueOf(schema).map(String)] as const,
  )
  const requiredKeys = asked.filter(({ required }) => required === true).map(({ name }) => name)
  return fc.record(Object.fromEntries(values), { requiredKeys }) as Arbitrary<
    Record<string, string>
  >
}

function pathsOf({ parameters }: Operation) {
  const named = parameters.filter((each) => each.in === 'path')
  return fc.record(Object.fromEntries(named.map(({ name }) => [name, fc.nat()] as const)))
}

/** Some of its parameters, each with a value. */
function queriesOf(contract: Contract, { parameters }: Operation): Arbitrary<string> {
  const asked = parameters.filter((each) => each.in === 'query')
  const valued = ({ name, schema, style }: (typeof asked)[number]) =>
    contract.valueOf(schema).map((value) => {
      if (style === 'deepObject') return membersOf(name, value)
      // Words of the document may have commas, which other values do without: see `written`.
      const isWord = Array.isArray(schema['enum']) && typeof value === 'string'
      return [[name, isWord ? value.split(',') : value] as const]
    })
  return fc
    .shuffledSubarray(asked, { maxLength: Math.min(3, asked.length) })
    .chain((some) => fc.tuple(...some.map(valued)))
    .map((pairs) => queryOf(pairs.flat()))
}

/** `filter[price][gte]`, of each member. */
const membersOf = (name: string, value: unknown) =>
  Object.entries(dataIn(value)).map(([word, each]) => [`${name}[${word}]`, each] as const)

/** A list is one text: `a,b`. */
export function queryOf(parameters: readonly (readonly [name: string, value: unknown])[]): string {
  const pairs = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${written(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const written = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(written).join(',')
    : encodeURIComponent(String(value).replaceAll(',', ''))

/** A body as JSON; undefined: there is none. */
export const contentOf = (body: unknown): Pick<Sent, 'headers' | 'body'> =>
  body === undefined
    ? { headers: {}, body: null }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }

/** The address of a request; `pick` knows the ids of the records there are. */
export function addressOf(
  { path }: Operation,
  sent: Sent,
  pick: (name: string, at: number) => string,
): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const id = sent.path[name] ?? 0
    return typeof id === 'number' ? pick(name, id) : id
  })
  return filled + sent.query
}

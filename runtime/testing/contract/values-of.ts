import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { isReference, references, type Ids } from './known-ids.js'
import { fractions, integers } from './numbers.js'
import { dataIn, listIn, numberIn, plain, type Data, type Resolve } from './schema.js'
import { texts } from './texts.js'

interface Known {
  readonly resolve: Resolve
  /** Ids that references may name. */
  readonly ids: Ids
  /** The references that were followed to where this is; absent: none. */
  readonly followed?: readonly unknown[]
}

type Inner = (part: unknown) => Arbitrary<unknown>
type IsDeep = (part: unknown) => boolean

/** A tree ends where a reference was followed twice: its lists are empty there, and its optional members missing. */
const isOften = (reference: unknown, followed: readonly unknown[]) =>
  reference !== undefined && followed.filter((each) => each === reference).length > 1

/** Values that a schema allows. */
export function valuesOf(given: Data, known: Known): Arbitrary<unknown> {
  if (JSON.stringify(given).includes('/schemas/Json"')) return anyJson
  if (isReference(given)) return references(known.ids)
  const schema = plain(given, known.resolve)
  const followed = [...(known.followed ?? []), ...('$ref' in given ? [given['$ref']] : [])]
  const inner: Inner = (part) => valuesOf(dataIn(part), { ...known, followed })
  const isDeep: IsDeep = (part) => {
    const { $ref: reference, items, minItems } = dataIn(part)
    // A list that may not be empty has to be missing.
    const isFilled = (numberIn(minItems) ?? 0) > 0
    return isOften(reference, followed) || (isFilled && isOften(dataIn(items)['$ref'], followed))
  }
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...listIn(schema['enum']))
  if (Array.isArray(schema['anyOf'])) {
    const { anyOf, ...beside } = schema
    const parts = listIn(anyOf).filter((part) => !isDeep(part))
    return fc.oneof(...parts.map((part) => inner({ ...beside, ...dataIn(part) })))
  }
  const types = [schema['type']].flat()
  if (types.length > 1) return fc.oneof(...types.map((type) => inner({ ...schema, type })))
  return ofType(types[0], schema, { inner, isDeep, ids: known.ids })
}

function ofType(
  type: unknown,
  schema: Data,
  { inner, isDeep, ids }: { readonly inner: Inner; readonly isDeep: IsDeep; readonly ids: Ids },
): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integers(schema)
    case 'number':
      return fractions(schema)
    case 'string':
      // Several texts in one, with commas between them; one empty text would be none.
      if ('x-items' in schema)
        return fc
          .array(inner(schema['x-items']), { minLength: 1, maxLength: 3 })
          .filter((all) => all.join() !== '')
      if (schema['contentEncoding'] === 'base64' && 'contentSchema' in schema)
        return inner(schema['contentSchema']).map(base64)
      return texts(schema, ids)
    case 'array':
      return isDeep(schema['items']) ? fc.constant([]) : lists(schema, inner(schema['items']))
    case 'object':
      return objects(schema, inner, isDeep)
    default:
      return anyJson
  }
}

/** JSON in one text. */
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

const anyJson = fc.oneof(
  fc.constant({ a: [1, null] }),
  fc.string(),
  fc.boolean(),
  fc.maxSafeInteger(),
)

function lists(schema: Data, items: Arbitrary<unknown>): Arbitrary<unknown> {
  const minLength = numberIn(schema['minItems']) ?? 0
  const maxLength = Math.min(numberIn(schema['maxItems']) ?? Infinity, minLength + 3)
  const size = { minLength, maxLength }
  return schema['uniqueItems'] === true ? fc.uniqueArray(items, size) : fc.array(items, size)
}

/** A confirmation is what it confirms. */
function objects(schema: Data, inner: Inner, isDeep: IsDeep): Arbitrary<unknown> {
  const asked = listIn(schema['required'])
  const properties = Object.entries(dataIn(schema['properties'])).filter(
    ([name, part]) => asked.includes(name) || !isDeep(part),
  )
  const parts = Object.fromEntries(properties.map(([name, part]) => [name, inner(part)]))
  const requiredKeys = asked.map(String).filter((name) => Object.hasOwn(parts, name))
  return fc.record(parts, { requiredKeys, noNullPrototype: true }).map((body) => {
    const confirmed = Object.keys(body)
      .filter((name) => name.endsWith('_confirmation'))
      .map((name) => [name, body[name.replace(/_confirmation$/, '')]])
    return { ...body, ...Object.fromEntries(confirmed) }
  })
}

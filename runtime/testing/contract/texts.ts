import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { uuids, type Ids } from './known-ids.js'
import { dataIn, listIn, numberIn, type Data } from './schema.js'

export function texts(schema: Data, ids: Ids): Arbitrary<unknown> {
  const maxLength = numberIn(schema['maxLength'])
  const examples = listIn(schema['examples']).map(String)
  if (examples.length > 0) return like(examples, schema)
  switch (schema['format']) {
    case 'uuid':
      return uuids(ids)
    case 'date':
      return days().map((date) => date.toISOString().slice(0, 10))
    case 'date-time':
      return days().map((date) => date.toISOString())
    case 'uri':
      return fc
        .webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true, withFragments: true })
        .filter(({ length }) => length <= (maxLength ?? Infinity))
    case 'email':
      return fc.uuid().map((id) => `${id.slice(0, 13)}@example.com`.slice(0, maxLength))
  }
  const minLength = numberIn(schema['minLength']) ?? 0
  if (typeof schema['pattern'] === 'string') {
    return matching(schema['pattern']).filter(
      ({ length }) => minLength <= length && length <= (maxLength ?? Infinity),
    )
  }
  return ofLength(minLength, maxLength ?? 10_000)
}

/**
 * Makes texts for a field with rules of its own: its examples, and those with other digits where
 * the rules take them.
 */
function like(examples: readonly string[], schema: Data): Arbitrary<string> {
  const given = [schema, ...listIn(schema['allOf'])].map((part) => dataIn(part)['pattern'])
  const patterns = given.flatMap((each) =>
    typeof each === 'string' ? [new RegExp(each, 'u')] : [],
  )
  const longest = numberIn(schema['maxLength']) ?? Infinity
  const isOne = (text: string) =>
    text.length <= longest && patterns.every((pattern) => pattern.test(text))
  const digits = fc.stringMatching(/^[1-9][0-9]{0,11}$/)
  return fc.tuple(fc.constantFrom(...examples), digits).map(([example, other]) => {
    const made = [example.replace(/\d+(?=\D*$)/, other), `${example}${other}`, `${other}${example}`]
    return made.find((text) => text !== example && isOne(text)) ?? example
  })
}

const days = () =>
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

/** Short ones, and the longest one. */
function ofLength(minLength: number, maxLength: number): Arbitrary<string> {
  const some = fc.string({
    unit: 'grapheme-ascii',
    minLength,
    maxLength: Math.min(maxLength, minLength + 20),
  })
  return fc.oneof({ weight: 8, arbitrary: some }, fc.constant('é'.repeat(maxLength)))
}

/** Names of `include` are found in the pattern; the rest is simple enough to be made from it. */
function matching(pattern: string): Arbitrary<string> {
  const names = /^\^ \*\((.*?)\) \*/.exec(pattern)?.[1]
  return names === undefined
    ? fc.stringMatching(new RegExp(pattern))
    : fc.constantFrom(...names.split('|'))
}

import { json, readJson } from './json.js'
import { like, type ColumnFacts, type Schema } from './kind.js'
import { literal, valueOf } from './literal.js'
import { chosen } from './rule.js'
import { bounds, typeOf } from './schema.js'

function someOf({ nullable, options = [], min, max }: ColumnFacts): Schema {
  const items = { type: 'string', enum: [...options] }
  const lengths = bounds('minItems', min, 'maxItems', max)
  return { type: typeOf('array', nullable), items, uniqueItems: true, ...lengths }
}

/** As few as there may be, as many, and in another order. */
function edges({ options = [], min = 0, max = Infinity }: ColumnFacts): readonly string[] {
  const most = options.slice(0, max)
  return [options.slice(0, min), most, most.toReversed()].map(valueOf)
}

export const multiSelect = like(json, {
  name: 'multiSelect',
  group: 'multiSelect',
  takes: 'options',
  longest: null,
  preset: {
    says: 'a list of its options, each once',
    example: '.default([])',
    read: (written) =>
      Array.isArray(written) && new Set(written).size === written.length
        ? readJson(written)
        : undefined,
  },
  typescript: 'string[]',
  graphql: '[String!]',
  isList: true,
  rule: { name: 'multiSelect', file: 'choice-rules', given: chosen },
  document: { ...json.document, shown: someOf, sent: someOf },
  sample: ({ options = [], min = 0 }) => options.slice(0, Math.max(min, 1)),
  edges: { usual: null, of: edges },
  seed: ({ options = [], min = 0 }) => `[${options.slice(0, min).map(literal).join(', ')}]`,
})

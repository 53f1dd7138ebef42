import { like } from './kind.js'
import { literal, valueOf } from './literal.js'
import { chosen } from './rule.js'
import { choice } from './schema.js'
import { text } from './text/text.js'

const oneOf = ({ options = [], nullable }: { options?: readonly string[]; nullable: boolean }) =>
  choice(options, nullable)

export const select = like(text, {
  name: 'select',
  group: 'select',
  takes: 'options',
  match: ['text', 'array'],
  usualMax: null,
  rule: { name: 'select', file: 'choice-rules', given: chosen },
  document: { ...text.document, shown: oneOf, sent: oneOf },
  existing: { types: [], preset: ({ word }) => (word === undefined ? undefined : literal(word)) },
  sample: ({ options = [] }) => options[0] ?? '',
  varied: null,
  edges: {
    usual: null,
    of: ({ options = [] }) =>
      options
        .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
        .map(valueOf),
  },
  seed: ({ options = [] }) => literal(options[0] ?? ''),
})

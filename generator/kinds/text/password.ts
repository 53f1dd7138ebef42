import type { Kind } from '../kind.js'
import { usualRule } from '../rule.js'
import { texts } from '../schema.js'
import { count, sampleText, text } from './text.js'

/** As its rule in `runtime/input/rules.ts` has it. */
const [shortest, longest] = [8, 200]

export const password: Kind<'password', 'password'> = {
  name: 'password',
  storage: 'password',
  group: 'password',
  takes: null,
  isText: false,
  isSortable: false,
  match: [],
  bound: count,
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: { says: 'no default', example: ".default('…')", read: () => undefined },
  typescript: 'string',
  graphql: 'String',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'string',
  prisma: text.prisma,
  key: null,
  rule: usualRule('password'),
  document: {
    // No answer has one.
    shown: texts,
    sent: (column) => ({
      ...texts(column),
      format: 'password',
      minLength: Math.max(column.min ?? shortest, shortest),
      maxLength: Math.min(column.max ?? longest, longest),
    }),
    parameter: text.document.parameter,
  },
  existing: { types: [], preset: () => undefined },
  told: null,
  sample: sampleText,
  // No password has this hash, and it is as long as a password may be: the tests send it as one.
  row: ({ min = 0, max = Infinity }) => 'no password has this hash'.padEnd(min, '.').slice(0, max),
  varied: null,
  edges: { usual: null, of: () => [] },
  seed: () => 'await hashPassword(password)',
}

import { boolean as stored } from '../../runtime/kinds/boolean.js'
import { noDigits } from '../../runtime/kinds/kind.js'
import type { Kind, SqlDefault } from './kind.js'
import { usualRule } from './rule.js'
import { typeOf } from './schema.js'
import { count } from './text/text.js'

const truth = ({ nullable }: { readonly nullable: boolean }) => ({
  type: typeOf('boolean', nullable),
})

function truthOf({ sql }: SqlDefault): string | undefined {
  if (/^'?(true|t|1)/i.test(sql)) return 'true'
  return /^'?(false|f|0)/i.test(sql) ? 'false' : undefined
}

export const boolean: Kind<'boolean', 'boolean'> = {
  name: 'boolean',
  storage: 'boolean',
  group: 'boolean',
  takes: null,
  isText: false,
  isSortable: true,
  match: ['boolean'],
  bound: count,
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: {
    says: 'true or false',
    example: '.default(false)',
    read: (written) => {
      const read = stored.fromJson(written, noDigits)
      return typeof read === 'boolean' ? read : undefined
    },
  },
  typescript: 'boolean',
  graphql: 'Boolean',
  isList: false,
  isSwitch: true,
  isDate: false,
  client: 'boolean',
  prisma: {
    type: 'Boolean',
    native: null,
    preset: (value) => ({ bare: String(value) }),
  },
  key: null,
  rule: usualRule('boolean'),
  document: {
    shown: truth,
    sent: truth,
    parameter: () => ({ name: 'booleans', schema: { type: 'boolean' } }),
  },
  existing: { types: ['boolean'], preset: truthOf },
  told: null,
  sample: () => true,
  row: null,
  varied: null,
  edges: { usual: null, of: () => ['false', 'true'] },
  seed: () => 'false',
}

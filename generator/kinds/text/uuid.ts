import { noDigits } from '../../../runtime/kinds/kind.js'
import { uuid as stored, uuidPattern } from '../../../runtime/kinds/uuid.js'
import type { Kind, Schema } from '../kind.js'
import { valueOf } from '../literal.js'
import { usualRule } from '../rule.js'
import { texts } from '../schema.js'
import { asText, count } from './text.js'

/** A UUID in a body. */
export const sentUuid = ({ nullable }: { readonly nullable: boolean }): Schema => ({
  ...texts({ nullable, name: '' }),
  format: 'uuid',
  pattern: uuidPattern('[\\da-fA-F]'),
})

const usual = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff']

export const uuid: Kind<'uuid', 'uuid'> = {
  name: 'uuid',
  storage: 'uuid',
  group: 'uuid',
  takes: null,
  isText: false,
  isSortable: true,
  match: ['text', 'array'],
  bound: count,
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: {
    says: 'a UUID',
    example: ".default('0190a8e5-7c1e-7000-8000-000000000000')",
    read: (written) => asText(stored.fromJson(written, noDigits)),
  },
  typescript: 'string',
  graphql: 'String',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'string',
  prisma: {
    type: 'String',
    native: '@db.Uuid',
    // As PostgreSQL gives it back; otherwise Prisma would see a difference for ever.
    preset: (value, _, database) =>
      database === 'sqlite' ? { text: String(value) } : { sql: String(value), cast: '::uuid' },
  },
  key: {
    word: 'uuid',
    // The server makes UUIDs itself; this is for rows written through Prisma.
    prisma: '@default(uuid(7))',
    shown: { format: 'uuid' },
    reference: (nullable) => sentUuid({ nullable }),
    made: 'randomUUID()',
    sample: '11111111-1111-4111-8111-111111111111',
    morph: {
      isOne: /@db\.Uuid\b/,
      // As triggers of every version spell it out: another text of the same would be a migration.
      cast: (value) =>
        `(CASE WHEN ${value} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${value}::uuid END)`,
    },
  },
  rule: { ...usualRule('uuid'), file: 'id-rules' },
  document: {
    shown: (column) => ({ ...texts(column), format: 'uuid' }),
    sent: sentUuid,
    parameter: () => ({ name: 'uuid', schema: { type: 'string', format: 'uuid' } }),
  },
  existing: { types: ['uuid'], preset: () => undefined },
  told: null,
  sample: () => '11111111-1111-4111-8111-111111111111',
  row: null,
  varied: () => 'randomUUID()',
  edges: { usual: { name: 'uuids', values: usual }, of: () => usual.map(valueOf) },
  seed: () => "'00000000-0000-4000-8000-000000000000'",
}

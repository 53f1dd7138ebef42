import type { Blueprint, Column } from '../../../generator/blueprint/types.js'
import { type FieldKind, kindOf } from '../../../generator/kinds/kinds.js'
import type { JsonValue } from '../../../generator/manifest/field-types.js'
import { blueprint, column, entity, foreign, pivot, relation, side } from './blueprints.js'

const text = `it's a "quote", a \\ and\na line`

/** Defaults that are lost more easily than those of the fixture every-kind. */
const awkward: readonly (readonly [FieldKind, JsonValue])[] = [
  ['field', text],
  ['text', 'short'],
  ['textarea', 'long'],
  ['number', 7],
  ['integer', -2147483648],
  ['bigInteger', '-9223372036854775808'],
  ['float', 1.5],
  ['decimal', '123456789012.5'],
  ['boolean', true],
  ['toggle', false],
  ['date', '2026-02-03'],
  ['dateTime', '2026-02-03T04:05:06.789Z'],
  ['json', { list: [1, "it's"], nothing: null }],
  ['multiSelect', ['a', 'b']],
  ['email', 'ada@example.com'],
  ['url', "https://example.com/it's?a=1#b"],
  ['phone', '+393331234567'],
  ['password', '$argon2id$'],
  ['uuid', '0190c2f4-0000-7000-8000-000000000000'],
  ['select', 'a'],
]

/** A kind three times: required, nullable, and with a default. */
function columnsOf([kind, value]: (typeof awkward)[number]): readonly Column[] {
  const { takes } = kindOf(kind)
  const digits = takes === 'digits' ? { precision: 15, scale: 3 } : {}
  const options = takes === 'options' ? { options: ['a', 'b'] } : {}
  const facts = { ...digits, ...options }
  return [
    column(`a_${kind}`, kind, facts),
    column(`a_nullable_${kind}`, kind, { ...facts, nullable: true }),
    column(`a_default_${kind}`, kind, { ...facts, default: value }),
  ]
}

export const kinds: Blueprint = blueprint(
  [
    entity({
      key: 'samples',
      name: 'Sample',
      id: 'uuid',
      columns: [
        ...awkward.flatMap(columnsOf),
        column('described', 'text', { description: 'What it is.\nOn two lines.', indexed: true }),
        column('tiny', 'float', { default: 1e-7 }),
        column('huge', 'float', { default: 1e21 }),
      ],
    }),
  ],
  { auth: null },
)

/** Names that mean something to JavaScript, SQL or Prisma, and relations that could meet them. */
export const clashes: Blueprint = blueprint(
  [
    entity({
      key: 'default',
      name: 'Default',
      table: 'default',
      columns: [
        ...[
          'constructor',
          'toString',
          'AND',
          'class',
          'select',
          'where',
          'then',
          'order',
          'user',
        ].map((name) => column(name, 'text', { indexed: name === 'AND' })),
        foreign('OR', 'news', { nullable: true }),
      ],
      relations: [relation('NOT', 'belongsTo', 'news', 'OR')],
    }),
    entity({
      key: 'news',
      name: 'News',
      columns: [
        foreign('parent_id', 'news', { nullable: true }),
        foreign('editor_id', 'staff', { kind: 'uuid', nullable: true }),
        foreign('author_id', 'staff', { kind: 'uuid' }),
        foreign('staff_id', 'staff', { kind: 'uuid', unique: true }),
        foreign('news_id', 'news', { nullable: true }),
      ],
      relations: [
        relation('parent', 'belongsTo', 'news', 'parent_id'),
        relation('replies', 'hasMany', 'news', 'parent_id'),
        relation('author', 'belongsTo', 'staff', 'author_id'),
      ],
    }),
    entity({
      key: 'staff',
      name: 'Staff',
      id: 'uuid',
      columns: [column('news', 'text'), column('friends', 'text')],
      relations: [
        relation('written', 'hasMany', 'news', 'author_id'),
        relation('friends', 'belongsToMany', 'staff', 'staff_id', {
          pivot: { table: 'friends', relatedKey: 'friend_id' },
        }),
      ],
    }),
  ],
  {
    pivots: [
      pivot('friends', 'Friend', [
        side('staff_id', 'staff', { kind: 'uuid' }),
        side('friend_id', 'staff', { kind: 'uuid' }),
      ]),
      pivot('notables', 'Notable', [
        side('notable_id', null, { kind: 'text', morphType: 'notable_type' }),
        side('news_id', 'news'),
      ]),
    ],
  },
)

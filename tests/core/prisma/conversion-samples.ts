/** Fields with values at their edges, and fields that they may become. */
import type { Column } from '../../../generator/blueprint/types.js'
import { kinds } from '../../../generator/kinds/kinds.js'
import type { Kind } from './conversion-model.js'

/** Kinds that say which texts are a value of them. */
export const told = kinds.flatMap(({ name, told: how }) => (how === null ? [] : [{ name, ...how }]))

const texts = [
  ...[
    '5',
    '05',
    '-0',
    '-7.50',
    '48.50',
    '+49 1',
    '',
    ' 5',
    '1e3',
    '.5',
    '5.',
    '0',
    '1',
    '--1',
    '1.2.3',
  ],
  ...[
    'a',
    'b',
    'A',
    'true',
    'false',
    'TRUE',
    "it's",
    'a\nb',
    'école',
    '"a"',
    '["a"]',
    '["a", "b"]',
    '["a","a"]',
    '["z"]',
    '{"x": [1, null]}',
    'null',
    '[]',
    '12',
  ],
  ...[
    '2026-02-03',
    '2026-02-30',
    '2026-02-29',
    '2024-02-29',
    '0000-01-01',
    '2026-13-01',
    '9999-12-31',
  ],
  ...[
    '2026-02-03T04:05:06.789Z',
    '2026-02-03 04:05',
    '2026-02-03T04:05:06+02:00',
    '2026-02-03T24:00:00Z',
    '2026-02-03T04:05:06.78999Z',
    '2026-02-03T00:00:00.000Z',
    'now',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+14:00',
  ],
  ...[
    '0190C2F4-0000-7000-8000-000000000000',
    '0190c2f4-0000-7000-8000-00000000000',
    '+39 (333) 123-45.67',
  ],
  ...told.flatMap(({ samples }) => [...samples.values, ...samples.others]),
  ...[
    '2147483647',
    '2147483648',
    '-2147483648',
    '99999999.99',
    '999999999.99',
    '123456789012345678',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
    '9007199254740993.0',
    '0.000000000000001',
    '12345678901234.5',
  ],
  ...['$argon2id$v=19$x', '!', '$argon2i$'],
]
const short = texts.filter((each) => each.length <= 20)

/** Every kind, its options that matter, and values at its edges. */
export const sources: readonly (Kind & { readonly values: readonly unknown[] })[] = [
  { kind: 'field', max: 255, values: texts },
  { kind: 'text', max: 20, values: short },
  { kind: 'textarea', values: texts },
  { kind: 'number', values: [0, 1, -1, 7, 2147483647, -2147483648] },
  { kind: 'integer', values: [0, 1, 2, 5, 6, -5, 99999, 2147483647, -2147483648] },
  {
    kind: 'bigInteger',
    values: [
      '0',
      '1',
      '-1',
      '7',
      '2147483647',
      '2147483648',
      '-2147483649',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
    ],
  },
  {
    kind: 'float',
    values: [
      0,
      1,
      -0.5,
      12.3,
      9.95,
      0.1 + 0.2,
      1e21,
      1e-7,
      99999999.99,
      1e9,
      0.7999999999999999,
      123456789.123,
      5e-324,
      1e15,
      2147483648,
    ],
  },
  {
    kind: 'decimal',
    precision: 10,
    scale: 2,
    values: ['0.00', '1.00', '12.30', '-0.01', '997.80', '99999999.99', '5.00', '-99999999.99'],
  },
  {
    kind: 'decimal',
    precision: 15,
    scale: 7,
    values: [
      '0.0000000',
      '1.0000000',
      '12.3000000',
      '12345678.0123456',
      '-0.0000001',
      '99999999.9999999',
    ],
  },
  { kind: 'boolean', values: [true, false] },
  { kind: 'toggle', values: [true, false] },
  { kind: 'date', values: ['2026-02-03', '2024-02-29', '0001-01-01', '9999-12-31'] },
  {
    kind: 'dateTime',
    values: [
      '2026-02-03T04:05:06.789Z',
      '2026-02-03T00:00:00.000Z',
      '2026-02-03T23:59:59.999Z',
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ],
  },
  {
    kind: 'json',
    values: [
      'a',
      'b',
      'true',
      '5',
      true,
      false,
      0,
      1,
      5,
      12.5,
      ['a'],
      ['a', 'b'],
      ['a', 'a'],
      ['z'],
      [1],
      [],
      {},
      { x: [1, null] },
      '2026-02-03',
      '48.50',
      'ada@x.org',
      '0190c2f4-0000-7000-8000-000000000000',
      '',
    ],
  },
  {
    kind: 'multiSelect',
    options: ['a', 'b', '5'],
    values: [[], ['a'], ['b'], ['5'], ['a', 'b'], ['b', 'a', '5']],
  },
  ...told.map(({ name, samples }) => ({ kind: name, values: samples.values })),
  { kind: 'password', values: ['$argon2id$v=19$secret', '!'] },
  { kind: 'uuid', values: ['0190c2f4-0000-7000-8000-000000000000'] },
  { kind: 'select', options: ['a', 'b', '5', 'true'], values: ['a', 'b', '5', 'true'] },
]

export interface Target extends Kind {
  readonly fill: string
  readonly default?: Column['default']
}

/** As it is, and with the bounds of its two shortest values. */
function targetsOf({ name, samples }: (typeof told)[number]): readonly Target[] {
  const [one = '', other = '', ...longer] = samples.values.toSorted((a, b) => a.length - b.length)
  const given = { kind: name, fill: one, default: other }
  const bounded = { ...given, min: Array.from(one).length, max: Array.from(other).length }
  return longer.some(({ length }) => length > other.length) ? [given, bounded] : [given]
}

export const targets: readonly Target[] = [
  { kind: 'decimal', precision: 12, scale: 3, fill: '-3.25', default: '1.500' },
  { kind: 'date', fill: '2020-01-01', default: '2021-01-01' },
  { kind: 'integer', fill: '-3', default: 4 },
  { kind: 'bigInteger', fill: '-9007199254740993', default: '9223372036854775807' },
  { kind: 'multiSelect', options: ['a', 'b'], fill: '[]', default: ['b'] },
  { kind: 'select', options: ['a', 'true'], fill: 'true', default: 'a' },
  {
    kind: 'uuid',
    fill: '0190c2f4-0000-7000-8000-00000000000a',
    default: '0190c2f4-0000-7000-8000-00000000000b',
  },
  { kind: 'textarea', fill: 'filled', default: 'given' },
  { kind: 'dateTime', fill: '2020-01-01T01:02:03Z', default: '2021-01-01T01:02:03.000Z' },
  { kind: 'boolean', fill: 'true', default: false },
  { kind: 'float', fill: '0.5', default: 1.5 },
  { kind: 'json', fill: '{"a":1}', default: { b: [1] } },
  { kind: 'password', fill: '!' },
  ...told.flatMap(targetsOf),
  { kind: 'field', max: 255, fill: 'x', default: "it's" },
  { kind: 'text', max: 4, fill: 'x', default: 'y' },
  { kind: 'text', min: 2, max: 40, fill: 'xx', default: 'yy' },
  { kind: 'toggle', fill: 'false', default: true },
  { kind: 'number', min: 0, max: 5, fill: '3', default: 4 },
  { kind: 'bigInteger', min: 0, max: 5, fill: '3', default: '4' },
  { kind: 'decimal', precision: 5, scale: 0, fill: '7', default: '8' },
  { kind: 'decimal', precision: 15, scale: 7, fill: '7', default: '8' },
  { kind: 'decimal', precision: 10, scale: 2, max: 100, fill: '7', default: '8' },
  { kind: 'decimal', precision: 2, scale: 2, fill: '0.5', default: '0.25' },
  { kind: 'float', min: 0, fill: '7', default: 8 },
  { kind: 'multiSelect', options: ['5', 'a', 'b'], max: 1, fill: '[]', default: [] },
  {
    kind: 'select',
    options: ['a', 'b', '5', 'true', '12.30', '2026-02-03'],
    fill: 'a',
    default: 'b',
  },
]

import { expect, test } from 'vitest'
import { answerSchema } from '../../../generator/features/openapi/schemas/answer-schema.js'
import { answerShape } from '../../../generator/plan/answer-shape.js'

const nullable = (type: string) => ({ type: [type, 'null'] })

test.each([
  ['string', nullable('string')],
  ['number | null', nullable('number')],
  ['undefined | true | false', nullable('boolean')],
  ['| 1 | -2.5', nullable('number')],
  [`'a' | "b" | 'a'`, { ...nullable('string'), enum: ['a', 'b', null] }],
  [`'a' | string`, nullable('string')],
  [String.raw`'it\'s'`, nullable('string')],
  ['readonly string[]', { ...nullable('array'), items: { type: 'string' } }],
  [
    '(string | null)[][]',
    { ...nullable('array'), items: { type: 'array', items: { type: ['string', 'null'] } } },
  ],
  [
    'Array<ReadonlyArray<number>>',
    { ...nullable('array'), items: { type: 'array', items: { type: 'number' } } },
  ],
  [
    `Readonly<{ readonly minutes: number; label?: string, 'a-b': boolean; readonly: null | 'x' }>`,
    {
      ...nullable('object'),
      properties: {
        minutes: { type: 'number' },
        label: { type: 'string' },
        'a-b': { type: 'boolean' },
        readonly: { type: ['string', 'null'], enum: ['x', null] },
      },
      required: ['minutes', 'a-b'],
    },
  ],
  [
    '{ one: Record<string, number>; two: { three: unknown } }',
    {
      ...nullable('object'),
      properties: { one: {}, two: { type: 'object', properties: { three: {} } } },
      required: ['two'],
    },
  ],
])('%s is what it says', (text, schema) => {
  expect(answerSchema(answerShape(text))).toEqual(schema)
})

test.each([
  undefined,
  '',
  'unknown',
  'null',
  'Date',
  'Post',
  'string | number',
  '{ a: string } & { b: string }',
  '[string, number]',
  '{ [key: string]: number }',
  '{ call(): string }',
  '() => string',
  'keyof Post',
  'string[',
  '{ a: string',
  '`text`',
])('%s is anything', (text) => {
  expect(answerShape(text)).toEqual({ kind: 'any' })
})

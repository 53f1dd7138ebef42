/** Times in requests, and their stored form. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInstant } from '../../../runtime/kinds/instant.js'
import { runs } from '../../support/runs.js'

test.each([
  ['2026-02-03T04:05:06.789Z', '2026-02-03T04:05:06.789Z'],
  ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2026-02-03', '2026-02-03T00:00:00.000Z'],
  ['2026-02-03 04:05', '2026-02-03T04:05:00.000Z'],
  ['2026-02-03t04:05:06z', '2026-02-03T04:05:06.000Z'],
  ['2026-02-03T04:05:06.123456789Z', '2026-02-03T04:05:06.123Z'],
  ['2026-02-03T04:05:06', '2026-02-03T04:05:06.000Z'],
  ['2026-02-03T00:30:00.00+01:00', '2026-02-02T23:30:00.000Z'],
  ['2026-02-03T04:05:06-0230', '2026-02-03T06:35:06.000Z'],
])('%s is %s', (text, instant) => {
  expect(readInstant(text)).toBe(instant)
})

test.each([
  // As long as what JavaScript writes.
  '2026-02-30T00:00:00.000Z',
  '2025-02-29T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-02-03T24:00:00.000Z',
  '2026-02-03T04:60:00.000Z',
  '0000-01-01T00:00:00.000Z',
  'Tue, 03 Feb 2026 04:05Z.',
  '+002026-02-03T04:05:06Z ',
  // And others.
  '2026-02-30',
  '0000-12-31',
  '9999-12-31T23:59:59.999-01:00',
  '0001-01-01T00:00:00+01:00',
  '+010000-01-01T00:00:00.000Z',
  '2026-2-3',
  '2026-02-03T04',
  '2026-02-03T04:05:06.Z',
  '2026-02-03T04:05:06+1',
  ' 2026-02-03',
  '1770091506789',
  'tomorrow',
  '',
])('%j is no time', (text) => {
  expect(readInstant(text)).toBeUndefined()
})

test('what JavaScript writes is read as the same time with its zone written another way', () => {
  const years = { min: new Date('-000500-01-01'), max: new Date('+010500-01-01') }
  fc.assert(
    fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
      const text = date.toISOString()
      expect(readInstant(text)).toBe(readInstant(text.replace('Z', '+00:00')))
    }),
    { numRuns: runs(300) },
  )
})

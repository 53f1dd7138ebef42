/** When the clocks of time zones change, as aggregates look it up, against the clocks themselves. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Zone, zoneNamed } from '../../../runtime/features/aggregates/zones.js'
import { runs } from '../../support/runs.js'

const [from, to] = [Date.UTC(1900, 0, 1), Date.UTC(2100, 0, 1)]

/** Returns the time on a clock of the zone, in seconds. */
function shown(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...({ dateStyle: 'short', timeStyle: 'medium' } as const),
  }).format(instant)
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = (
    parts.match(/\d+/g) ?? []
  ).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

const offsetIn = ({ starts, offsets }: Zone, instant: number): number =>
  offsets[starts.filter((start) => Date.parse(start) <= instant).length] ?? 0

// Two weeks apart but an hour, half an hour, seconds, twice a year around Ramadan, and once a day that there was not.
const unusual = [
  ...['America/Recife', 'Australia/Lord_Howe', 'Europe/Amsterdam', 'Africa/Casablanca'],
  ...['Pacific/Apia', 'Asia/Gaza', 'Europe/Dublin', 'Antarctica/Troll'],
]

test('clocks of any zone are known to the second', async () => {
  const zone = fc.constantFrom(...unusual, ...Intl.supportedValuesOf('timeZone'))
  const instants = fc.array(fc.integer({ min: from / 1000, max: to / 1000 - 1 }), {
    maxLength: 50,
  })
  await fc.assert(
    fc.asyncProperty(zone, instants, async (name, some) => {
      const known = await zoneNamed(name)
      if (known === null) throw new Error(`there is no zone ${name}`)
      expect(known.offsets).toHaveLength(known.starts.length + 1)
      const changes = known.starts.map((start) => Date.parse(start) / 1000)
      for (const second of [...some, ...changes, ...changes.map((change) => change - 1)]) {
        const instant = second * 1000
        const offset = shown(name, instant) - second
        expect([name, second, offsetIn(known, instant)]).toEqual([name, second, offset])
      }
    }),
    { numRuns: runs(8) },
  )
})

test.each(['', 'x', 'Europe', '+01:00', 'Europe/Rome\n', '../etc', 'a'.repeat(65), '__proto__'])(
  '%j is no zone',
  (name) => {
    expect(zoneNamed(name)).toBeNull()
  },
)

test('a zone by another spelling is the same', async () => {
  expect(await zoneNamed('europe/rome')).toBe(await zoneNamed('Europe/Rome'))
  expect(await zoneNamed('UTC')).toEqual({ starts: [], offsets: [0] })
})

import { setImmediate as pause } from 'node:timers/promises'

/**
 * The distance of a zone's clocks from UTC, in seconds: before `starts[0]`, from there on, and so
 * on.
 */
export interface Zone {
  /** ISO text in UTC. */
  readonly starts: readonly string[]
  /** One more than there are starts. */
  readonly offsets: readonly number[]
}

/**
 * Databases know zones as they were when they were made, and SQLite none. So the clocks are Node's on
 * both: they are looked up once, from 1900 to 2100, and handed to statements as parameters. What is
 * before or after has the offset of that end.
 */
const [from, to] = [Date.UTC(1900, 0, 1), Date.UTC(2100, 0, 1)]

/** No clocks were changed twice within it: those of Recife, in 2000, within a week less an hour. */
const step = 6 * 86_400_000

const known = new Map<string, Promise<Zone>>()

/** Null: there is no such zone. */
export function zoneNamed(name: string): Promise<Zone> | null {
  const clock = clockOf(name)
  if (clock === null) return null
  const { timeZone } = clock.resolvedOptions()
  // As many as there are zones.
  const zone = known.get(timeZone) ?? zoneOf(clock)
  known.set(timeZone, zone)
  return zone
}

/** `Europe/Rome`, `Etc/GMT+5`: offsets such as `+01:00` are no zones to every Node. */
const pattern = /^[a-z][\w+-]*(\/[\w+-]+)*$/i

function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  if (timeZone.length > 64 || !pattern.test(timeZone)) return null
  try {
    const numeric = 'numeric'
    const time = { hour: numeric, minute: numeric, second: numeric } as const
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', day: numeric, ...time })
  } catch {
    return null
  }
}

/** A tenth of a second of work, in pieces: others are served between them. */
async function zoneOf(clock: Intl.DateTimeFormat): Promise<Zone> {
  let last = offsetAt(clock, from)
  const starts: string[] = []
  const offsets = [last]
  for (let at = from, steps = 1; at < to; at += step, steps++) {
    const next = offsetAt(clock, at + step)
    if (next !== last) {
      const start = changeBetween(clock, at, at + step, last)
      starts.push(new Date(start).toISOString())
      offsets.push(next)
      last = next
    }
    if (steps % stepsInARow === 0) await pause()
  }
  return { starts, offsets }
}

const stepsInARow = 200

/** When clocks began to show another offset than `last`. */
function changeBetween(clock: Intl.DateTimeFormat, early: number, late: number, last: number) {
  let [before, after] = [early, late]
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000
    if (offsetAt(clock, middle) === last) before = middle
    else after = middle
  }
  return after
}

/** Seconds: what the clock shows, and what it would show in UTC. */
function offsetAt(clock: Intl.DateTimeFormat, instant: number): number {
  const utc = new Date(instant)
  const [day = 0, hour = 0, minute = 0, second = 0] = numbersIn(clock.format(utc))
  const days = Math.sign(day - utc.getUTCDate())
  // The day before the first is the last of a month.
  const ahead = Math.abs(day - utc.getUTCDate()) > 1 ? -days : days
  const seconds = (hour - utc.getUTCHours()) * 3600 + (minute - utc.getUTCMinutes()) * 60
  return ahead * 86_400 + seconds + (second - utc.getUTCSeconds())
}

const numbersIn = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number)

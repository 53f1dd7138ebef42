import type { BenchDatabase } from './database.js'
import type { LoadGenerator } from './load.js'
import { median, rounded } from './numbers.js'
import type { Options } from './options.js'
import type { Figures, Measured } from './results.js'
import type { Running } from './running.js'
import { becomeIdle, cpuMicroseconds, memoryMb } from './server.js'
import { connectionsFor, workItems, type WorkItem } from './work.js'

/** Code that runs for the first time is compiled meanwhile. */
export const warmUpSeconds = 6

/** Each round asks every contestant: what disturbs the machine meanwhile disturbs all. */
export async function measureItem(
  item: WorkItem,
  running: readonly Running[],
  load: LoadGenerator,
  database: BenchDatabase,
  options: Options,
): Promise<void> {
  // A total that was counted before is one that somebody may have changed.
  const stopWriting = item === 'index' ? keepWriting(database) : async () => {}
  await measureRounds(item, running, load, options).finally(stopWriting)
  print(item, running)
}

export const writesPerSecond = 10

/** Writes a row as it is; returns how to stop. */
function keepWriting(database: BenchDatabase): () => Promise<void> {
  let last = Promise.resolve()
  const write = () =>
    (last = last.then(() => database.execute(`update users set name = name where id = 1`)))
  const timer = setInterval(() => void write(), 1000 / writesPerSecond)
  return async () => {
    clearInterval(timer)
    await last
  }
}

async function measureRounds(
  item: WorkItem,
  running: readonly Running[],
  load: LoadGenerator,
  { rounds, seconds }: Options,
): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of running) {
      const call = each.contestant.calls[item]
      if (call === undefined || each.failures[item] !== undefined) continue
      const requests = Array.from({ length: 997 }, (_, n) => call.request(n))
      const before = cpuMicroseconds(each.server)
      const loaded = await load.run(each.server, {
        connections: connectionsFor(item),
        requests,
        seconds: round === 0 ? Math.max(seconds, warmUpSeconds) : seconds,
      })
      await becomeIdle(each.server)
      const cpu = (cpuMicroseconds(each.server) - before) / loaded.sent
      if (loaded.failed > 0) {
        each.failures[item] = `${loaded.failed} of ${loaded.sent} requests failed under load`
        delete each.rounds[item]
        continue
      }
      // Round 0 warms up.
      if (round === 0) continue
      const perSecond = loaded.answered / loaded.seconds
      ;(each.rounds[item] ??= []).push({ cpu, perSecond, p99: loaded.p99 })
    }
  }
}

function print(item: WorkItem, running: readonly Running[]): void {
  const bare = running.find(({ contestant }) => contestant.name === 'bare')
  for (const each of running) {
    const figures = figuresOf(each, item)
    if (figures === undefined) continue
    const ratio = bare === undefined ? Number.NaN : (figuresOf(bare, item)?.cpu ?? 0) / figures.cpu
    console.log(
      `${item.padEnd(8)} ${each.contestant.name.padEnd(12)} ${figures.cpu} µs (${ratio.toFixed(2)}) · ${figures.perSecond}/s · p99 ${figures.p99} ms · ${figures.statements} statements · ${figures.roundTrips} round trips`,
    )
  }
}

function figuresOf({ rounds, counted, answers }: Running, item: WorkItem): Figures | undefined {
  const measured = rounds[item]
  const count = counted[item]
  if (measured === undefined || count === undefined) return undefined
  const cpus = measured.map(({ cpu }) => cpu)
  return {
    cpu: rounded(median(cpus)),
    cpuRange: [rounded(Math.min(...cpus)), rounded(Math.max(...cpus))],
    perSecond: Math.round(median(measured.map(({ perSecond }) => perSecond))),
    // Not one answered in time.
    p99: measured.every(({ p99 }) => Number.isFinite(p99))
      ? rounded(median(measured.map(({ p99 }) => p99)), 2)
      : null,
    statements: count.statements,
    roundTrips: count.roundTrips,
    bytes: answers[item]?.[0]?.bytes ?? 0,
  }
}

export function measuredOf(each: Running): Measured {
  const figures = workItems.flatMap((item) => {
    const found = figuresOf(each, item)
    return found === undefined ? [] : [[item, found] as const]
  })
  return {
    name: each.contestant.name,
    startMs: Math.round(each.server.startMs),
    idleMb: each.idleMb,
    peakMb: memoryMb(each.server, 'VmHWM'),
    work: Object.fromEntries(figures),
    ...(Object.keys(each.failures).length === 0 ? {} : { failures: each.failures }),
  }
}

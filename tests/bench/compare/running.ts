/** A contestant that is measured: its server, its answers, its statements. */
import { environment } from '../blog.js'
import { answersOf, ask, checkAnswers, type Answers } from './answers.js'
import type { Contestant } from './contestants.js'
import { removeStored, type BenchDatabase } from './database.js'
import { median } from './numbers.js'
import { memoryMb, startServer, type Server } from './server.js'
import { startCounter, type Counted } from './statements.js'
import { workItems, type Calls, type WorkItem } from './work.js'

export interface Running {
  readonly contestant: Contestant
  readonly server: Server
  readonly answers: Answers
  readonly counted: Partial<Record<WorkItem, Counted>>
  readonly idleMb: number
  readonly rounds: Partial<Record<WorkItem, Round[]>>
  readonly failures: Partial<Record<WorkItem, string>>
}

export interface Round {
  readonly cpu: number
  readonly perSecond: number
  readonly p99: number
}

/** Counts its statements on a server of its own, then starts the one that is measured and compares its answers. */
export async function begin(
  contestant: Contestant,
  folder: string,
  database: BenchDatabase,
  expected: Answers | undefined,
): Promise<Running> {
  console.log(`starting ${contestant.title}`)
  const counted = await countStatements(contestant, folder, database)
  await removeStored(database)
  const server = await start(contestant, folder, database.url)
  try {
    const answers = await answersOf(server, contestant.calls)
    checkAnswers(expected ?? answers, answers)
    const idleMb = memoryMb(server, 'VmRSS')
    return { contestant, server, answers, counted, idleMb, rounds: {}, failures: {} }
  } catch (error) {
    await server.stop()
    throw error
  }
}

const start = (
  { folder, env }: Contestant,
  cwd: string,
  url: string,
  args: readonly string[] = [],
): Promise<Server> =>
  startServer([...args, folder === null ? 'dist/app/server.js' : 'server.js'], cwd, {
    ...environment(''),
    DATABASE_URL: url,
    ...env,
  })

/** Asked one by one; what is prepared, read or compiled at the first request is not counted. */
async function countStatements(
  contestant: Contestant,
  folder: string,
  database: BenchDatabase,
): Promise<Partial<Record<WorkItem, Counted>>> {
  const counter = await startCounter(database.url)
  const times = 10
  try {
    const server = await start(contestant, folder, counter.url, counter.args)
    try {
      const counted: Partial<Record<WorkItem, Counted>> = {}
      for (const [item, request] of requestsOf(contestant.calls, 2 * times)) {
        for (const each of request.slice(times)) await ask(server, each)
        await counter.take(server)
        const each: Counted[] = []
        for (const one of request.slice(0, times)) {
          await ask(server, one)
          each.push(await counter.take(server))
        }
        counted[item] = {
          statements: median(each.map(({ statements }) => statements)),
          roundTrips:
            database.name === 'sqlite'
              ? null
              : median(each.map(({ roundTrips }) => roundTrips ?? 0)),
        }
      }
      return counted
    } finally {
      await server.stop()
    }
  } finally {
    counter.stop()
  }
}

const requestsOf = (calls: Calls, many: number) =>
  workItems.flatMap((item) => {
    const call = calls[item]
    if (call === undefined) return []
    return [[item, Array.from({ length: many }, (_, n) => call.request(n))] as const]
  })

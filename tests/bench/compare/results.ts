import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DatabaseName } from './options.js'
import type { WorkItem } from './work.js'

/** Medians of the rounds. */
export interface Figures {
  /** Microseconds of the server's CPU, user and system, of one request. */
  readonly cpu: number
  readonly cpuRange: readonly [lowest: number, highest: number]
  readonly perSecond: number
  /** Milliseconds; null where a round had no answer in time. */
  readonly p99: number | null
  readonly statements: number
  readonly roundTrips: number | null
  readonly bytes: number
}

export interface Measured {
  readonly name: string
  /** Why it is not in the tables. */
  readonly failed?: string
  readonly startMs?: number
  /** Resident memory after its first answers, and the most it had. */
  readonly idleMb?: number
  readonly peakMb?: number
  readonly work?: { readonly [Item in WorkItem]?: Figures }
  /** Why a work item is not in the tables. */
  readonly failures?: { readonly [Item in WorkItem]?: string }
}

export interface Conditions {
  readonly day: string
  readonly command: string
  /** The measured commit; absent: it was not noted, or there is no git. */
  readonly commit?: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
}

export interface Comparison {
  readonly conditions: Conditions
  readonly rounds: number
  readonly seconds: number
  /** Seconds before the first round; absent in results of before, which took 3. */
  readonly warmUp?: number
  readonly databases: readonly {
    readonly name: DatabaseName
    readonly version: string
    readonly contestants: readonly Measured[]
  }[]
}

export interface Point {
  readonly contestant: 'svc' | 'bare'
  /** Rows of the table, number of the page, depth of the include. */
  readonly at: number
  readonly what: string
  /** Microseconds. */
  readonly cpu: number
  /** Milliseconds that a request takes which is alone. */
  readonly p50: number
}

export interface Growth {
  readonly conditions: Conditions
  readonly databases: readonly {
    readonly name: DatabaseName
    readonly version: string
    readonly rows: readonly Point[]
    readonly pages: readonly Point[]
    readonly includes: readonly Point[]
  }[]
}

interface Process {
  readonly ms: number
  /** Milliseconds. */
  readonly cpu: number
  readonly mb: number
}

export interface RepositoryPoint {
  readonly size: number
  readonly failed?: string
  /** A fresh project, without Prisma's client; then once more, with nothing changed. */
  readonly generated?: Process
  readonly again?: Process
  /** Until the server answered. */
  readonly startMs?: number
  readonly startCpu?: number
  readonly startMb?: number
  /** Microseconds of one show. */
  readonly showCpu?: number
}

export interface Repositories {
  readonly conditions: Conditions
  readonly points: readonly RepositoryPoint[]
}

const fileOf = (name: string) => fileURLToPath(new URL(`../results/${name}.json`, import.meta.url))

export const readResults = <T>(name: string): T => JSON.parse(readFileSync(fileOf(name), 'utf8'))

export const writeResults = (name: string, results: unknown): void =>
  writeFileSync(fileOf(name), `${JSON.stringify(results, null, 2)}\n`)

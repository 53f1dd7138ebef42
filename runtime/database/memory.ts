import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { FairQueue } from './fair-queue.js'
import { BusyError } from './unavailable.js'

/**
 * Bytes that a character of a row takes until its answer is sent: in the row, in the JSON, in the
 * bytes of that. Letters of few languages take half as many more.
 */
const perCharacter = 4

/** And a byte of JSON that is no text: objects, lists, names and numbers are larger than theirs. */
const perByte = 4

/** Smaller answers are counted as well, but not by client: most requests. */
const large = 16_384

/** A client without a large answer may begin where others wait already. */
const ofNewcomers = 1.25

/** Bytes that a read takes beforehand, where it needs more. */
const step = 262_144

const mostWaiting = 200
const longestWaitMs = 10_000

/** Milliseconds that a client may read nothing of its answer while others wait. */
const patienceMs = 3_000

/** Milliseconds after which others who wait go before one who reads ever so slowly. */
const mostPatienceMs = 6_000

/** Milliseconds between two looks at who has left. */
const lookMs = 100

/** The most that may be set aside for answers, where config/svc.ts says nothing. */
export function usualAnswersBytes(): number {
  return Math.floor(Math.min(getHeapStatistics().heap_size_limit / 2, processBytes() / 3))
}

/** Bytes of memory that this process may have: of the container, where it is in one. */
function processBytes(): number {
  const constrained = process.constrainedMemory() // 0 or more than there is: it is not
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/** The connection that an answer is for. */
interface Client {
  readonly destroyed: boolean
  destroy(): void
  /** Ends it when in that time not one byte was taken. */
  setTimeout(ms: number): void
}

/** One request's part of the memory for answers. */
export class Holding {
  #bytes = 0
  #who: string | null = null
  /** Reads of it that wait. */
  waiting = 0
  isUnread = false
  /** Nothing is added any more: reads may go on after a failure was answered. */
  #isSettled = false
  #isHurried = false

  constructor(
    readonly memory: Memory,
    readonly client: Client,
    readonly asker: () => string,
  ) {}

  get bytes(): number {
    return this.#bytes
  }

  /** A token or an address. Found out for large ones only. */
  get who(): string {
    return (this.#who ??= this.asker())
  }

  /** Returns true if it neither waits for room nor for its reader. */
  get isBuilt(): boolean {
    return !this.isUnread && this.waiting === 0
  }

  add(bytes: number): void {
    if (this.#isSettled) return
    this.#bytes += bytes
    this.memory.count(this, bytes)
  }

  /** Counts an answer that is larger than its rows. */
  atLeast(bytes: number): void {
    if (bytes > this.#bytes) this.add(bytes - this.#bytes)
  }

  addCharacters(characters: number): void {
    this.add(characters * perCharacter)
  }

  /**
   * Adds what is made of rows: characters that are in none of them or several times, and all else.
   */
  addAnswer(characters: number, bytes: number): void {
    this.add(characters * perCharacter + bytes * perByte)
  }

  /** Others wait: who reads nothing has less time. */
  hurry(): void {
    if (!this.#isHurried) this.client.setTimeout(patienceMs)
    this.#isHurried = true
  }

  /** The answer is handed over; so much of it waits for its reader. */
  settle(unread: number): void {
    const change = unread - this.#bytes
    const changeOfUnread = unread - (this.isUnread ? this.#bytes : 0)
    this.#isSettled = true
    this.isUnread = unread > 0
    this.#bytes = unread
    this.memory.count(this, change)
    this.memory.countUnread(this, changeOfUnread)
  }
}

/** The memory of a statement that is running. */
class Reading {
  taken = 0

  constructor(
    readonly holding: Holding,
    public reserved: number,
  ) {
    holding.add(reserved)
  }

  /** False: there is no room for so many characters more. */
  take(characters: number): boolean {
    this.taken += characters * perCharacter
    const missing = this.taken - this.reserved
    if (missing <= 0) return true
    const more = Math.max(missing, step)
    if (!this.holding.memory.mayGrow(this.holding, more)) return false
    this.reserved += more
    this.holding.add(more)
    return true
  }

  /** Characters it may take where it cannot ask on its way: on a thread. */
  reserve(): number {
    const { memory } = this.holding
    const more = Math.max(step, memory.limit / 8 - this.reserved)
    this.reserved += more
    this.holding.add(more)
    return memory.isAnyBuilt(this.holding) ? Math.floor(this.reserved / perCharacter) : Infinity
  }

  /** @param kept What is there from now on. */
  end(kept: number): void {
    this.holding.add(kept - this.reserved)
  }
}

export type { Reading }

/** Characters of text that rows hold. */
export function charactersOf(rows: readonly (readonly unknown[])[]): number {
  let characters = 0
  for (const row of rows) {
    for (let at = 0; at < row.length; at++) {
      const value = row[at]
      if (typeof value === 'string') characters += value.length
    }
  }
  return characters
}

/** A read was ended because there is no room for what it has. */
export class NoRoomError extends Error {}

interface Job {
  readonly who: string
  readonly holding: Holding
  /** Bytes that it takes, where that is known. */
  readonly size: number
  readonly since: number
  hasLeft(): boolean
  resolve(): void
  reject(error: unknown): void
}

/**
 * What the answers of this process take of its memory, together: those that are built, and those
 * that clients have not read yet. Each read of a request begins where there is room, else it waits.
 *
 *     begun already     goes on where there is room, or where all others that are begun wait, too:
 *                       so one answer may pass the limit, and some answer always gets ready
 *     new               begins where there is room and its caller has less than half of all; a
 *                       caller who has nothing else, where there is room for a quarter more
 *     nobody reads it   is cut off after three seconds where others wait, and not after thirty;
 *                       after six the oldest of whoever has most goes
 *
 * Nothing is guessed on SQLite, where a statement is over when it was begun. What PostgreSQL sends,
 * or a thread reads, is counted on its way: where there is no room for more, the statement ends, and
 * is sent again when there is room for as much as it had. How much that was is remembered.
 */
export class Memory {
  #used = 0
  #unread = 0
  #bodies = 0
  /** Large holdings. Small ones come and go with each request. */
  readonly #listed = new Set<Holding>()
  readonly #begun = new FairQueue<Job>()
  readonly #new = new FairQueue<Job>(mostWaiting)
  /** The size of the last large read of a statement, by its text. */
  readonly #sizes = new LRUCache<string, number>({ max: 1_000 })
  #timer: NodeJS.Timeout | null = null
  /** Somebody was let go on, and has not read yet. */
  #isTurn = false

  constructor(public limit: number) {}

  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#begun.size + this.#new.size
  }

  /** Called with each change of what a request holds. */
  count(holding: Holding, change: number): void {
    this.#used += change
    const { bytes, isUnread } = holding
    if (this.#listed.has(holding)) this.#new.take(holding.who, change)
    else if (bytes >= large || (isUnread && bytes > 0)) {
      this.#listed.add(holding)
      this.#new.take(holding.who, bytes)
    }
    if (bytes === 0) this.#listed.delete(holding)
    if (change < 0 && this.waiting > 0) this.#next()
  }

  /** Runs a read when there is room; one that takes more than there is runs again, later. */
  async read<T>(
    holding: Holding,
    statement: string,
    work: (reading: Reading) => Promise<T>,
  ): Promise<T> {
    const since = performance.now()
    for (;;) {
      const size = this.#sizeOf(statement)
      if (!this.mayBegin(holding, size)) await this.wait(holding, size, since)
      const reading = new Reading(holding, size)
      try {
        const answer = await work(reading)
        this.#learn(statement, reading.taken)
        reading.end(reading.taken)
        return answer
      } catch (error) {
        reading.end(0)
        if (!(error instanceof NoRoomError)) throw error
        this.#learn(statement, Math.max(reading.taken, 2 * reading.reserved, step))
      }
    }
  }

  #sizeOf(statement: string): number {
    return Math.min(this.#sizes.get(statement) ?? 0, Math.floor(this.limit / 2))
  }

  /** Only large ones are kept. */
  #learn(statement: string, bytes: number): void {
    if (bytes >= step) this.#sizes.set(statement, bytes)
    else if (this.#sizes.size > 0) this.#sizes.delete(statement)
  }

  /** Returns true if a read of so many bytes may begin at once: almost always. */
  mayBegin(holding: Holding, size = 0): boolean {
    if (this.#isTurn || this.waiting > 0) return false
    return this.#used + size < this.limit / 2 || this.#mayGo(holding, size)
  }

  /** Resolves when the read may begin; rejected when that takes too long. */
  wait(holding: Holding, size = 0, since = performance.now()): Promise<void> {
    const { client, who } = holding
    holding.waiting += 1
    const turn = new Promise<void>((resolve, reject) => {
      const job: Job = {
        who,
        holding,
        size,
        since,
        resolve,
        reject,
        hasLeft: () => client.destroyed,
      }
      const queue = holding.bytes > 0 ? this.#begun : this.#new
      queue.add(job)?.reject(new BusyError(full))
    })
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref()
    this.#next()
    return turn.finally(() => (holding.waiting -= 1))
  }

  /** False: bodies of requests take half as much as answers may, already. */
  takeBody(bytes: number): boolean {
    const isFree = this.#bodies === 0 || this.#bodies + bytes <= this.limit / 2
    if (isFree) this.#bodies += bytes
    return isFree
  }

  leaveBody(bytes: number): void {
    this.#bodies -= bytes
  }

  /** Returns true if a read that is under way may take so many bytes more. */
  mayGrow(holding: Holding, bytes: number): boolean {
    return this.#used + bytes <= this.limit || !this.isAnyBuilt(holding)
  }

  /**
   * Ends the oldest of the other answers where those that wait for their readers are too many
   * alone.
   */
  countUnread(holding: Holding, change: number): void {
    this.#unread += change
    while (this.#unread > this.limit && this.#cutOldest((each) => each !== holding));
  }

  #mayGo(holding: Holding, size: number): boolean {
    const used = this.#used + size
    if (holding.bytes > 0) return used <= this.limit || !this.isAnyBuilt(holding)
    const own = this.#new.placesOf(holding.who)
    if (own === 0) return used <= this.limit * ofNewcomers || this.#used === 0
    return used <= this.limit && own + size < this.limit / 2
  }

  /** One at a time: the next one sees what it took. */
  #next(): void {
    if (this.#isTurn) return
    const mayGo = ({ holding, size }: Job) => this.#mayGo(holding, size)
    const job = this.#begun.next(mayGo) ?? this.#new.next(mayGo)
    if (job === null) return
    this.#isTurn = true
    job.resolve()
    setImmediate(() => {
      this.#isTurn = false
      this.#next()
    })
  }

  /** Returns true if an answer other than this one is being built, and does not wait. */
  isAnyBuilt(except: Holding): boolean {
    for (const each of this.#listed) if (each !== except && each.isBuilt) return true
    return false
  }

  #look(): void {
    const late = () =>
      new BusyError(
        `Waited ${longestWaitMs / 1000} s for memory: answers hold ${this.#used} of ${this.limit} bytes (limits.answers_bytes).`,
      )
    for (const queue of [this.#begun, this.#new]) queue.endLate(longestWaitMs, late)
    this.#hurry()
    this.#next()
    if (this.waiting > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  /** For others who wait: nobody is hurried by what they wait for themselves. */
  #hurry(): void {
    const waitOf = (who: string) =>
      Math.max(this.#begun.waitOfOthers(who), this.#new.waitOfOthers(who))
    for (const each of this.#listed) {
      if (each.isUnread && waitOf(each.who) > patienceMs) each.hurry()
    }
    const most = this.#new.whoHasMost()
    if (most === null || waitOf(most) < mostPatienceMs) return
    this.#cutOldest(({ who }) => who === most)
  }

  /** False: there is none. */
  #cutOldest(mayGo: (holding: Holding) => boolean): boolean {
    for (const each of this.#listed) {
      if (!each.isUnread || !mayGo(each)) continue
      each.client.destroy()
      each.settle(0)
      return true
    }
    return false
  }
}

/** Runs a read of a request when there is memory for it. */
export function readInMemory<T>(
  caller: { readonly holding: Holding | null } | undefined,
  statement: string,
  work: (reading: Reading | null) => Promise<T>,
): Promise<T> {
  const holding = caller?.holding ?? null
  return holding === null ? work(null) : holding.memory.read(holding, statement, work)
}

const full = `${mostWaiting} requests wait for memory already (limits.answers_bytes).`

/** One for the process; `limits.answers_bytes` of config/svc.ts sets its limit. */
export const memory = new Memory(usualAnswersBytes())

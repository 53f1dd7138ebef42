import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Caller } from '../../../runtime/database/caller.js'
import { Holding, Memory, NoRoomError } from '../../../runtime/database/memory.js'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'
import { BusyError } from '../../../runtime/database/unavailable.js'
import { emptyFolder } from '../cli/project.js'
import { dialects, openDatabase } from './databases.js'

const limit = 1_000_000

describe('the memory for answers', () => {
  let memory: Memory
  beforeEach(() => {
    memory = new Memory(limit)
  })

  function answer(who: string) {
    const client = { destroyed: false, destroy: () => (client.destroyed = true), setTimeout() {} }
    return { holding: new Holding(memory, client, () => who), client }
  }

  /** A read that is answered with so many bytes. */
  function ask(who: string, bytes: number, began: string[]) {
    const { holding } = answer(who)
    const read = async () => {
      if (!memory.mayBegin(holding)) await memory.wait(holding)
      began.push(who)
      holding.add(bytes)
    }
    const done = read()
    return { holding, done }
  }

  test('is full when answers that are built take it; others begin when one is read', async () => {
    const began: string[] = []
    const first = ask('ann', 490_000, began)
    await first.done
    const second = ask('ben', 600_000, began)
    await second.done
    const third = ask('ann', 10, began)
    await turn()
    expect([began, memory.waiting]).toEqual([['ann', 'ben'], 1])
    first.holding.settle(490_000) // written, and not read yet
    await turn()
    expect(memory.waiting).toBe(1)
    first.holding.settle(0)
    await third.done
    expect([began, memory.used]).toEqual([['ann', 'ben', 'ann'], 600_010])
  })

  test('is never taken by one caller alone: who holds nothing goes first', async () => {
    const began: string[] = []
    const all = Array.from({ length: 20 }, () => ask('ann', 300_000, began))
    await turn()
    expect(began).toEqual(['ann', 'ann'])
    await ask('ben', 1_000, began).done
    expect(began).toEqual(['ann', 'ann', 'ben'])
    for (const { holding, done } of all) {
      await done
      holding.settle(0)
    }
    expect([began.length, memory.used]).toEqual([21, 1_000])
  })

  test('some answer always gets ready, however many grow', async () => {
    const { holding: one } = answer('ann')
    const { holding: other } = answer('ben')
    one.add(600_000)
    other.add(600_000)
    const order: string[] = []
    const grow = async (holding: Holding) => {
      if (!memory.mayBegin(holding)) await memory.wait(holding)
      order.push(holding.who)
      holding.settle(0)
    }
    await Promise.all([grow(one), grow(other)])
    expect([order.toSorted(), memory.used]).toEqual([['ann', 'ben'], 0])
  })

  test('ends a read that takes more than there is, and runs it again later', async () => {
    const { holding: large } = answer('ann')
    large.add(900_000)
    const { holding } = answer('ben')
    let runs = 0
    const read = memory.read(holding, 'select', async (reading) => {
      runs += 1
      if (!reading.take(100_000)) throw new NoRoomError()
      return 'rows'
    })
    await turn()
    expect([runs, memory.waiting]).toEqual([1, 1])
    large.settle(0)
    expect([await read, runs, memory.used]).toEqual(['rows', 2, 400_000])
  })

  test('holds nothing of what failed, and nothing that comes after the answer', async () => {
    const { holding } = answer('ann')
    const failed = memory.read(holding, 'select', () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    holding.add(100_000)
    holding.settle(0)
    holding.add(100_000)
    expect(memory.used).toBe(0)
  })

  test('lets 200 wait, and of one more the last of whoever has most goes', async () => {
    answer('eve').holding.add(2_000_000)
    const waits = Array.from({ length: 201 }, (_, n) => {
      const { holding } = answer(n === 0 ? 'ann' : 'eve')
      return memory.wait(holding).catch((error: unknown) => error)
    })
    expect(await waits.at(-1)).toBeInstanceOf(BusyError)
    expect(memory.waiting).toBe(200)
  })

  test('cuts off the oldest of others where those that nobody reads are too many', () => {
    const answers = Array.from({ length: 3 }, () => answer('eve'))
    for (const { holding } of answers) holding.settle(400_000)
    expect(answers.map(({ client }) => client.destroyed)).toEqual([true, false, false])
    expect(memory.used).toBe(800_000)
  })

  test('takes bodies that are half of it, together', () => {
    expect([memory.takeBody(400_000), memory.takeBody(400_000)]).toEqual([true, false])
    memory.leaveBody(400_000)
    expect(memory.takeBody(2_000_000)).toBe(true)
  })
})

describe.each(dialects)('reads of %s', (dialect) => {
  const client = () => ({ destroyed: false, destroy() {}, setTimeout() {} })

  test('of a request wait while other answers have all the memory, and are counted', async () => {
    // In memory, SQLite has no connection beside the one that writes.
    const file = `file:${join(emptyFolder(), 'read.sqlite')}`
    const database = dialect === 'sqlite' ? openSqlite(file) : await openDatabase(dialect)
    onTestFinished(() => database.close())
    const memory = new Memory(limit)
    const others = new Holding(memory, client(), () => 'ann')
    others.add(2 * limit)
    const holding = new Holding(memory, client(), () => 'ben')
    const caller = new Caller(undefined, undefined, holding)
    const text = 'x'.repeat(20_000)
    const read = database.query({ sql: `select '${text}'`, access: 'read' }, [], caller)
    await expect.poll(() => memory.waiting).toBe(1)
    // A read without a request does not wait.
    expect(await database.query({ sql: 'select 1', access: 'read' }, [])).toEqual([[1]])
    expect([memory.waiting, holding.bytes]).toEqual([1, 0])
    others.settle(0)
    expect(await read).toEqual([[text]])
    expect(holding.bytes).toBeGreaterThanOrEqual(text.length)
  })
})

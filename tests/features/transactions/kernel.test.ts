/** Transactions that repositories join. */
import { GraphQLError } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { joinTransactions } from '../../../runtime/features/transactions/join.js'
import { mutationsTogether } from '../../../runtime/features/transactions/together.js'
import { dialects, execute, openDatabase } from '../../core/kernel/databases.js'

describe.each(dialects)('a transaction that is joined on %s', (dialect) => {
  let database: Database
  let together: ReturnType<typeof mutationsTogether>
  beforeAll(async () => {
    database = await openDatabase(dialect)
    joinTransactions(database as never, { transaction_ms: 5000 })
    together = mutationsTogether(database)
    await execute(database, 'create table marks (mark text)')
  })
  beforeEach(() => execute(database, 'delete from marks'))
  afterAll(() => database.close())

  const mark = (text: string) => execute(database, `insert into marks (mark) values ('${text}')`)
  const marks = async () => {
    // Takes its turn after what is written when a transaction has ended.
    await execute(database, `delete from marks where mark = 'none'`)
    const rows = await database.query(
      { sql: 'select mark from marks order by 1', access: 'read' },
      [],
    )
    return rows.flat()
  }
  const failed = { data: null, errors: [new GraphQLError('no')] }

  test('is written whole, or not at all', async () => {
    await together(async () => {
      await mark('a')
      return { data: {} }
    })
    expect(await marks()).toEqual(['a'])
    const answer = await together(async () => {
      await mark('b')
      return failed
    })
    expect(answer).toEqual(failed)
    await expect(
      together(async () => {
        await mark('c')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await marks()).toEqual(['a'])
  })

  test('undoes a part alone, with what would have followed it', async () => {
    const followed: string[] = []
    const follow = (text: string) => database.committed?.(async () => void followed.push(text))
    await together(async () => {
      await mark('before')
      await follow('before')
      const part = database.transaction(async () => {
        await mark('part')
        await follow('part')
        throw new Error('no')
      })
      await expect(part).rejects.toThrow('no')
      await expect(execute(database, 'insert into nothing values (1)')).rejects.toThrow(/nothing/)
      await mark('after')
      expect(followed).toEqual([])
      return { data: {} }
    })
    expect(await marks()).toEqual(['after', 'before'])
    expect(followed).toEqual(['before'])
  })

  test('keeps what lasts, whatever becomes of it', async () => {
    await together(async () => {
      await database.lasting?.(() => mark('tried'))
      await mark('undone')
      return failed
    })
    expect(await marks()).toEqual(['tried'])
    await together(async () => {
      const part = database.transaction(async () => {
        await database.lasting?.(() => mark('again'))
        throw new Error('no')
      })
      await expect(part).rejects.toThrow('no')
      return { data: {} }
    })
    expect(await marks()).toEqual(['again', 'tried'])
  })

  test('is not left by the parts of several calls at once', async () => {
    await together(async () => {
      const parts = Array.from({ length: 9 }, (_, at) =>
        database.transaction(async () => {
          await mark(`one ${at}`)
          if (at % 3 === 0) throw new Error('no')
          await mark(`two ${at}`)
        }),
      )
      await Promise.allSettled(parts)
      return { data: {} }
    })
    const kept = [1, 2, 4, 5, 7, 8].flatMap((at) => [`one ${at}`, `two ${at}`])
    expect(await marks()).toEqual(kept.toSorted())
  })
})

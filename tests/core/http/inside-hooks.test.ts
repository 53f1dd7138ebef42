/** Everything that belongs to a write is written with it, or nothing is. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import { onFailedHook } from '../../../runtime/operations/afterwards.js'
import { databases, emitFixture, load, openFolder, type Project } from '../../support/project.js'

const isWithin = /^This is inside a transaction already/

const edits = {
  'config/svc.ts': (text: string) => text.replace('transaction_ms: 5_000', 'transaction_ms: 3_000'),
}

describe.each(databases)('hooks inside the transaction on %s', (name) => {
  let ledger: Project
  let ann = 0
  let account = 0
  let told: string[] = []
  let refused: string[] = []

  beforeAll(async () => {
    const folder = await emitFixture('ledger', name, edits)
    await generatePrismaClient(folder)
    ledger = await openFolder(folder, name)
    ann = await ledger.user('Ann')
    ;({ told } = await load(ledger.folder, 'app/Hooks/AuditHooks.ts'))
    ;({ refused } = await load(ledger.folder, 'app/Hooks/EntryHooks.ts'))
  })
  afterAll(() => ledger.close())

  beforeEach(async () => {
    for (const table of ['entries', 'accounts', 'audits']) await run(`delete from ${table}`)
    account = await ledger.insert('accounts', { name: 'Cash', balance: 0 })
    told.length = 0
  })

  const run = (sql: string) => ledger.database.query({ sql, access: 'write' }, [])
  const store = (note: string | null, amount = 3) =>
    ledger.post('/api/svc/entries', { account_id: String(account), amount, note }, ann)
  const found = async () => {
    const [accounts, entries, audits] = [
      await run('select balance from accounts order by id'),
      await run('select note from entries order by id'),
      await run('select line from audits order by id'),
    ]
    return { balances: accounts.flat(), notes: entries.flat(), audits: audits.flat() }
  }
  const ask = (query: string) => ledger.post('/graphql', { query }, ann)
  const nothing = { balances: [0], notes: [], audits: [] }

  it('write by db and by repositories of their context, with the row, in one transaction', async () => {
    const made = await store('one')
    expect([made.status, made.body.data.attributes.amount]).toEqual([201, 3])
    const { balances, audits } = await found()
    expect(balances).toEqual([3])
    expect(audits).toEqual([`rest ${made.headers.get('x-request-id')} one`])
    expect(told).toEqual(audits)
    const path = `/api/svc/entries/${made.body.data.id}`
    expect((await ledger.patch(path, { amount: 10 }, ann)).status).toBe(200)
    expect((await found()).balances).toEqual([10])
    expect((await ledger.delete(path, ann)).status).toBe(204)
    expect(await found()).toMatchObject({ balances: [0], notes: [] })
  })

  it.each(['store', 'update', 'delete'])(
    'roll all back by what they throw at %s, which is the answer',
    async (operation) => {
      if (operation === 'store') {
        const { status, body } = await store('refuse')
        expect([status, body.message]).toEqual([409, 'Not this one.'])
        expect(await found()).toEqual(nothing)
        expect((await store('bug')).status).toBe(500)
        expect(await found()).toEqual(nothing)
      } else {
        const { body } = await store(operation === 'delete' ? 'keep' : 'one')
        const before = await found()
        const path = `/api/svc/entries/${body.data.id}`
        const answer =
          operation === 'delete'
            ? await ledger.delete(path, ann)
            : await ledger.patch(path, { amount: 9, note: 'refuse' }, ann)
        expect(answer.status).toBe(409)
        expect(await found()).toEqual(before)
      }
    },
  )

  it.each(['other repository', 'db', 'transaction', 'database', 'prisma', 'ends it'])(
    'are refused at once what is not part of it: %s',
    async (note) => {
      refused.length = 0
      // Waiting for the transaction that waits for it would be 503.
      expect((await store(note)).status).toBe(500)
      expect(await found()).toEqual(nothing)
      expect(refused).toEqual([
        expect.stringMatching(
          note === 'ends it' ? isWithin : /^insideStore of entries runs inside/,
        ),
      ])
    },
  )

  it('answer what their own writes are refused, and may go on after it', async () => {
    await ledger.insert('audits', { line: 'taken' })
    expect((await store('taken')).status).toBe(422)
    expect(await found()).toEqual({ ...nothing, audits: ['taken'] })
    expect((await store('taken, and goes on')).status).toBe(201)
    const { audits, balances } = await found()
    expect([balances, audits.at(-1), audits.length]).toEqual([[3], 'instead', 3])
    expect(told).toHaveLength(2)
  })

  it('end after limits.transaction_ms with 503, and others write again', async () => {
    const answer = await store('for ever')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await found()).toEqual(nothing)
    expect((await store('next')).status).toBe(201)
  })

  it('run inside hooks of their own, all in the outermost transaction', async () => {
    const made = await ledger.post('/api/svc/accounts', { name: 'with entry' }, ann)
    expect(made.status).toBe(201)
    expect((await found()).balances).toEqual([0, 5])
    expect(told).toHaveLength(1)
  })

  it('are followed by after-hooks, whose failure is told and is no answer', async () => {
    const failures: unknown[] = []
    onFailedHook(({ repository, hook, error }) => failures.push([repository, hook, String(error)]))
    const made = await store('after')
    expect(made.status).toBe(201)
    expect(await found()).toMatchObject({ balances: [3], notes: ['after'] })
    expect(failures).toEqual([['entries', 'afterStore', 'Error: the mail was not sent']])
  })

  it('hold for writers at once: every entry is in the balance', async () => {
    const many = await Promise.all(Array.from({ length: 24 }, (_, at) => store(`n${at}`, at)))
    expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 201))
    expect((await found()).balances).toEqual([(23 * 24) / 2])
  })

  const entry = (note: string) =>
    `createEntry(input: { account_id: "${account}", amount: 2, note: "${note}" }) { amount }`

  it('run again where the database ended one of two that waited for each other', async () => {
    const other = await ledger.insert('accounts', { name: 'Bank', balance: 0 })
    const made = [await store('one', 1), await store('two', 2)]
    const paths = made.map(({ body }) => `/api/svc/entries/${body.data.id}`)
    const move = (at: number, to: number) =>
      ledger.patch(paths[at] ?? '', { account_id: String(to) }, ann)
    await move(0, other)
    told.length = 0
    // From either account to the other at once: each holds the row for which the other waits.
    for (const [one, two] of [
      [account, other],
      [other, account],
      [account, other],
    ] as const) {
      const moved = await Promise.all([move(0, one), move(1, two)])
      expect(moved.map(({ status }) => status)).toEqual([200, 200])
    }
    expect((await found()).balances).toEqual([1, 2])
    expect(told).toEqual([])
  })

  it('run for children that a list gives to another record', async () => {
    const { body } = await store('moved')
    const other = await ledger.insert('accounts', { name: 'Bank', balance: 0 })
    const give = (note: string) =>
      ask(
        `mutation { updateAccount(id: ${other}, input: { name: "${note}", entry_ids: [${body.data.id}] }) { name } }`,
      )
    expect((await give('Bank')).body.data).toEqual({ updateAccount: { name: 'Bank' } })
    expect((await found()).balances).toEqual([0, 3])
    await run(`update entries set note = 'refuse'`)
    const back = `mutation { updateAccount(id: ${account}, input: { entry_ids: [${body.data.id}] }) { name } }`
    expect((await ask(back)).body.errors[0].message).toBe('Not this one.')
    expect((await found()).balances).toEqual([0, 3])
  })

  it('make the mutations of one request one transaction: all or nothing', async () => {
    const good = await ask(`mutation { a: ${entry('a')} b: ${entry('b')} }`)
    expect(good.body).toEqual({ data: { a: { amount: 2 }, b: { amount: 2 } } })
    const after = await found()
    expect(after).toMatchObject({ balances: [4], notes: ['a', 'b'] })
    expect(after.audits[0]).toMatch(/^graphql /)
    told.length = 0
    const bad = await ask(`mutation { c: ${entry('c')} d: ${entry('refuse')} }`)
    expect([bad.body.data, bad.body.errors]).toEqual([
      null,
      [expect.objectContaining({ message: 'Not this one.', path: ['d'] })],
    ])
    expect(await found()).toEqual(after)
    expect(told).toEqual([])
    const invalid = await ask(`mutation { e: ${entry('e')} createAudit(input: {}) { id } }`)
    expect([invalid.body.data, invalid.body.errors?.length]).toEqual([null, 1])
    expect(await found()).toEqual(after)
  })
})

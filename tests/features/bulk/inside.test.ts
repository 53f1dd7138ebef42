/** Many records at once, with hooks inside their transaction and writers beside each other. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  databases,
  load,
  longTransactions,
  openProject,
  type Project,
} from '../../support/project.js'

const edits = {
  'manifest/index.ts': (text: string) =>
    text.replace('fields: { amount: integer()', 'bulk: true,\n  fields: { amount: integer()'),
  ...longTransactions,
}

describe.each(databases)('many records with hooks inside, on %s', (name) => {
  let ledger: Project
  let ann = 0
  let account = 0
  let told: string[] = []

  beforeAll(async () => {
    ledger = await openProject('ledger', name, edits)
    ann = await ledger.user('Ann')
    ;({ told } = await load(ledger.folder, 'app/Hooks/AuditHooks.ts'))
  })
  afterAll(() => ledger.close())

  const run = (sql: string) => ledger.database.query({ sql, access: 'write' }, [])
  beforeEach(async () => {
    for (const table of ['entries', 'accounts', 'audits']) await run(`delete from ${table}`)
    account = await ledger.insert('accounts', { name: 'Cash', balance: 0 })
    told.length = 0
  })

  const path = '/api/svc/entries/bulk'
  const entry = (note: string, amount: number) => ({ note, amount, account_id: String(account) })
  const store = (...all: ReturnType<typeof entry>[]) => ledger.post(path, all, ann)
  const found = async () => {
    const [accounts, entries, audits] = [
      await run('select balance from accounts order by id'),
      await run('select note, amount from entries order by id'),
      await run('select line from audits order by id'),
    ]
    return { balances: accounts.flat(), entries, audits: audits.flat() }
  }
  const ids = (answer: Awaited<ReturnType<typeof store>>): string[] =>
    answer.body.data.map(({ id }: { id: string }) => id)

  it('runs them for each record, with the row before and after', async () => {
    const made = await store(entry('a', 1), entry('b', 20), entry('c', 300))
    expect(made.status).toBe(201)
    const request = made.headers.get('x-request-id')
    const { balances, audits } = await found()
    expect(balances).toEqual([321])
    expect(audits).toEqual(['a', 'b', 'c'].map((each) => `rest ${request} ${each}`))
    expect(told).toEqual(audits)
    const [a, b, c] = ids(made)
    const changed = await ledger.patch(
      path,
      [
        { id: c, amount: 400 },
        { id: a, amount: 2 },
      ],
      ann,
    )
    expect([changed.status, (await found()).balances]).toEqual([200, [422]])
    expect((await ledger.post(`${path}/delete`, { ids: [b, c] }, ann)).status).toBe(204)
    expect((await found()).balances).toEqual([2])
  })

  it('rolls all back by what one of them throws, naming its record', async () => {
    const refused = await store(entry('a', 1), entry('refuse', 2), entry('c', 3))
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: 'Not this one.', errors: { '1': ['Not this one.'] } },
    ])
    expect(await found()).toEqual({ balances: [0], entries: [], audits: [] })
    expect(told).toEqual([])
    const made = await store(entry('a', 1), entry('keep', 2))
    const before = await found()
    const [a, b] = ids(made)
    const changed = await ledger.patch(
      path,
      [
        { id: a, amount: 5 },
        { id: b, note: 'refuse' },
      ],
      ann,
    )
    expect([changed.status, Object.keys(changed.body.errors)]).toEqual([409, ['1']])
    const deleted = await ledger.post(`${path}/delete`, { ids: [a, b] }, ann)
    expect([deleted.status, Object.keys(deleted.body.errors)]).toEqual([409, ['ids.1']])
    expect((await store(entry('a', 1), entry('bug', 2))).status).toBe(500)
    expect(await found()).toEqual(before)
  })

  it('lets requests in any order of the same records wait for each other, and never for ever', async () => {
    const made = await store(...Array.from({ length: 12 }, (_, at) => entry(`n${at}`, 0)))
    const all = ids(made)
    const change = (at: number) => {
      const some = at % 2 === 0 ? all : all.toReversed()
      return ledger.patch(
        path,
        some.map((id) => ({ id, amount: at })),
        ann,
      )
    }
    const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => change(at)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { balances, entries } = await found()
    const amounts = new Set(entries.map(([, amount]) => amount))
    expect(amounts.size).toBe(1)
    expect(balances).toEqual([12 * Number([...amounts][0])])
  })

  it('is part of mutations that are one', async () => {
    const two = (last: string) => `mutation {
      one: createEntryList(input: [{ amount: 1, account_id: ${account} }, { amount: 2, account_id: ${account} }]) { id }
      two: createEntryList(input: [{ amount: 3, account_id: ${account} }, ${last}]) { id }
    }`
    const failed = await ledger.post('/graphql', { query: two('{ note: "x" }') }, ann)
    expect(failed.body.data).toBeNull()
    expect((await found()).entries).toEqual([])
    const fine = `{ amount: 4, account_id: ${account} }`
    const { body } = await ledger.post('/graphql', { query: two(fine) }, ann)
    expect([body.errors, body.data.one.length]).toEqual([undefined, 2])
    expect((await found()).balances).toEqual([10])
  })
})

/** Random sequences of writes, REST and GraphQL mixed, leave what a model in memory says. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, load, openProject, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

interface Entry {
  readonly account: number
  readonly amount: number
  readonly note: string | null
}

/** The expected rows. */
interface Model {
  readonly entries: Map<number, Entry>
  /** Lines of audits that were committed, but for the id of their request. */
  readonly audits: string[]
}

const notes = fc.constantFrom(null, 'plain', 'refuse', 'bug', 'keep', 'taken', 'after')
const amounts = fc.integer({ min: -50, max: 50 })
const accounts = fc.nat({ max: 2 })

const stored = fc.record({
  kind: fc.constant('store' as const),
  entry: fc.record({ account: accounts, amount: amounts, note: notes }),
})
const changed = fc.record({
  kind: fc.constant('patch' as const),
  pick: fc.nat(),
  to: fc.record({ account: accounts, amount: amounts, note: notes }, { requiredKeys: [] }),
})
const deleted = fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() })
const given = fc.record({
  kind: fc.constant('give' as const),
  account: accounts,
  picks: fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }),
})
const one = fc.oneof(stored, changed, deleted, given)
type One = typeof one extends fc.Arbitrary<infer Value> ? Value : never
const together = fc.record({
  kind: fc.constant('together' as const),
  all: fc.array(one, { minLength: 1, maxLength: 4 }),
})
const sequences = fc.array(fc.oneof({ weight: 3, arbitrary: one }, together), { maxLength: 14 })

/** Null: it is refused, and nothing of it is there. */
type Outcome = Model | null

describe.each(databases)('random writes of a ledger on %s', (name) => {
  let ledger: Project
  let ann = 0
  let ids: number[] = []
  let told: string[] = []

  beforeAll(async () => {
    ledger = await openProject('ledger', name)
    ann = await ledger.user('Ann')
    ;({ told } = await load(ledger.folder, 'app/Hooks/AuditHooks.ts'))
  })
  afterAll(() => ledger.close())

  const run = (sql: string) => ledger.database.query({ sql, access: 'write' }, [])

  /** Applies one write to the model; `lines` are those of its request. */
  function applied(before: Model, write: One, id: number, lines: Set<string>): Outcome {
    const entries = new Map(before.entries)
    const audits = [...before.audits]
    const keys = [...entries.keys()]
    const at = (pick: number) => keys[pick % Math.max(1, keys.length)]
    switch (write.kind) {
      case 'store': {
        const { note } = write.entry
        const line = String(note ?? id)
        const isTaken = note === 'taken' && audits.includes('taken!')
        if (lines.has(line) || note === 'refuse' || note === 'bug' || isTaken) return null
        lines.add(line)
        entries.set(id, write.entry)
        return { entries, audits: [...audits, line, ...(note === 'taken' ? ['taken!'] : [])] }
      }
      case 'patch': {
        const key = at(write.pick)
        const entry = key === undefined ? undefined : entries.get(key)
        if (key === undefined || entry === undefined) return null
        const after = { ...entry, ...write.to }
        if (after.note === 'refuse') return null
        entries.set(key, after)
        return { entries, audits }
      }
      case 'delete': {
        const key = at(write.pick)
        if (key === undefined || entries.get(key)?.note === 'keep') return null
        entries.delete(key)
        return { entries, audits }
      }
      case 'give': {
        for (const pick of write.picks) {
          const key = at(pick)
          const entry = key === undefined ? undefined : entries.get(key)
          if (key === undefined || entry === undefined) return null
          entries.set(key, { ...entry, account: write.account })
        }
        return { entries, audits }
      }
    }
  }

  const mutation = (model: Model, write: One): string => {
    const keys = [...model.entries.keys()]
    const key = (pick: number) => keys[pick % Math.max(1, keys.length)] ?? 999_999
    const input = ({ account, amount, note }: Partial<Entry>) =>
      [
        ...(account === undefined ? [] : [`account_id: "${ids[account]}"`]),
        ...(amount === undefined ? [] : [`amount: ${amount}`]),
        ...(note === undefined ? [] : [`note: ${JSON.stringify(note)}`]),
      ].join(', ')
    switch (write.kind) {
      case 'store':
        return `createEntry(input: { ${input(write.entry)} }) { id }`
      case 'patch':
        return `updateEntry(id: ${key(write.pick)}, input: { ${input(write.to)} }) { id }`
      case 'delete':
        return `deleteEntry(id: ${key(write.pick)})`
      case 'give': {
        const all = [...new Set(write.picks.map(key))].join(', ')
        return `updateAccount(id: ${ids[write.account]}, input: { entry_ids: [${all}] }) { id }`
      }
    }
  }

  const ask = (query: string) => ledger.post('/graphql', { query }, ann)

  /** Sends one write by REST, or where it has no such route by GraphQL; the id it made. */
  async function send(model: Model, write: One): Promise<{ isDone: boolean; id: number }> {
    if (write.kind === 'give') {
      const { body } = await ask(`mutation { ${mutation(model, write)} }`)
      return { isDone: body.errors === undefined, id: 0 }
    }
    if (write.kind === 'store') {
      const { account, ...rest } = write.entry
      const made = { ...rest, account_id: String(ids[account]) }
      const { status, body } = await ledger.post('/api/svc/entries', made, ann)
      return { isDone: status === 201, id: Number(body.data?.id) }
    }
    const keys = [...model.entries.keys()]
    const path = `/api/svc/entries/${keys[write.pick % Math.max(1, keys.length)] ?? 999_999}`
    if (write.kind === 'delete') {
      return { isDone: (await ledger.delete(path, ann)).status === 204, id: 0 }
    }
    const { account, ...rest } = write.to
    const to = { ...rest, ...(account === undefined ? {} : { account_id: String(ids[account]) }) }
    return { isDone: (await ledger.patch(path, to, ann)).status === 200, id: 0 }
  }

  /** Ids of new entries are those after the last one that was tried: sequences are not rolled back. */
  async function sendTogether(model: Model, all: readonly One[]) {
    // A later write is looked up in the model of before: it names rows that are there.
    const fields = all.map((write, at) => `m${at}: ${mutation(model, write)}`)
    const { body } = await ask(`mutation { ${fields.join(' ')} }`)
    const made = all.map((_, at) => Number(body.data?.[`m${at}`]?.id))
    return { isDone: body.errors === undefined, made }
  }

  function appliedTogether(before: Model, all: readonly One[], made: readonly number[]): Outcome {
    const lines = new Set<string>()
    const keys = [...before.entries.keys()]
    let model: Outcome = before
    for (const [at, write] of all.entries()) {
      // Names the same rows as in the request, whatever earlier writes did.
      const named = (pick: number) => keys[pick % Math.max(1, keys.length)]
      if (model === null) return null
      const order = [...model.entries.keys()]
      const again = (pick: number) => order.indexOf(named(pick) ?? -1)
      const isGone = 'pick' in write && again(write.pick) < 0
      const areGone = write.kind === 'give' && write.picks.some((pick) => again(pick) < 0)
      if (isGone || areGone) return null
      const same: One =
        write.kind === 'give'
          ? { ...write, picks: write.picks.map(again) }
          : 'pick' in write
            ? { ...write, pick: again(write.pick) }
            : write
      model = applied(model, same, made[at] || -1000 - at, lines)
    }
    return model
  }

  async function expectModel(model: Model): Promise<void> {
    const rows = await run('select id, account_id, amount, note from entries order by id')
    const expected = [...model.entries]
      .toSorted(([one], [other]) => one - other)
      .map(([id, { account, amount, note }]) => [id, ids[account], amount, note])
    expect(rows.map(([id, account, ...rest]) => [Number(id), Number(account), ...rest])).toEqual(
      expected,
    )
    const balances = await run('select balance from accounts order by id')
    const sums = ids.map((_, at) =>
      [...model.entries.values()]
        .filter(({ account }) => account === at)
        .reduce((sum, { amount }) => sum + amount, 0),
    )
    expect(balances.flat().map(Number)).toEqual(sums)
    const audits = await run('select line from audits')
    expect(audits).toHaveLength(model.audits.length)
    expect(told.toSorted()).toEqual(audits.flat().map(String).toSorted())
  }

  it('hold in every order', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        for (const table of ['entries', 'accounts', 'audits']) await run(`delete from ${table}`)
        told.length = 0
        ids = []
        for (const each of ['A', 'B', 'C']) {
          ids.push(await ledger.insert('accounts', { name: each, balance: 0 }))
        }
        let model: Model = { entries: new Map(), audits: [] }
        for (const step of sequence) {
          let outcome: Outcome
          let isDone: boolean
          if (step.kind === 'together') {
            const sent = await sendTogether(model, step.all)
            isDone = sent.isDone
            outcome = appliedTogether(model, step.all, sent.made)
          } else {
            const sent = await send(model, step)
            isDone = sent.isDone
            outcome = applied(model, step, sent.id, new Set())
          }
          expect([step.kind, isDone]).toEqual([step.kind, outcome !== null])
          model = outcome ?? model
          await expectModel(model)
        }
      }),
      { numRuns: runsOn(name, 25) },
    )
  })
})

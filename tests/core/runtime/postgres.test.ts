import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Caller } from '../../../runtime/database/caller.js'
import { openPostgres, type PostgresDatabase } from '../../../runtime/database/postgres/open.js'
import { createGate, type Gate } from '../../support/gate.js'
import { openFreshPostgres, statement, type Opened } from './databases.js'

let opened: Opened<PostgresDatabase>
let database: PostgresDatabase

beforeEach(async () => {
  opened = await openFreshPostgres()
  database = opened.database
})

afterEach(() => opened.close())

describe('values', () => {
  it('are numbers, booleans or the text PostgreSQL sends, in UTC', async () => {
    const sql = `SELECT 7::int4, 1.5::float8, 9007199254740993::int8, true, 12.50::numeric(8,2),
      '2026-02-03T04:05:06.78Z'::timestamptz(3), '2026-02-03'::date, '{"a":1}'::jsonb, $1::text, null`
    expect(await database.query(statement(sql, 'read'), ['x'])).toEqual([
      [
        7,
        1.5,
        '9007199254740993',
        true,
        '12.50',
        '2026-02-03 04:05:06.78+00',
        '2026-02-03',
        '{"a": 1}',
        'x',
        null,
      ],
    ])
  })

  it('take a list as one parameter', async () => {
    const sql = 'SELECT k FROM unnest($1::int[]) k ORDER BY k'
    expect(await database.query(statement(sql, 'read'), [[3, 1, 2]])).toEqual([[1], [2], [3]])
    const texts = ['', ' a ', 'NULL', '"quoted"', 'back\\slash', '{1,2}', 'ü\n', "it's"]
    const same = statement('SELECT k FROM unnest($1::text[]) WITH ORDINALITY t(k, n) ORDER BY n')
    expect(await database.query(same, [texts])).toEqual(texts.map((text) => [text]))
    expect(await database.query(same, [[]])).toEqual([])
  })

  it('are the same when a statement is sent again, and its columns are not asked for', async () => {
    const one = openPostgres(opened.url, { max: 1 })
    let described = 0
    one.pool.on('connect', (client) => {
      const { connection } = client as unknown as { connection: EventEmitter }
      connection.on('rowDescription', () => (described += 1))
    })
    await one.ping()
    described = 0
    const rows = statement(`SELECT $1::int4, 'x'::text, null::bool FROM generate_series(1, $2)`)
    const none = statement('SELECT 1 WHERE $1 = 2')
    for (const count of [2, 0, 3]) {
      const row = [count, 'x', null]
      expect(await one.query(rows, [count, count])).toEqual(
        Array.from({ length: count }, () => row),
      )
      expect(await one.query(none, [1])).toEqual([])
    }
    expect(described).toBe(2)
    await one.close()
  })

  it('that cannot be sent fail alone, and leave the connection to the next statement', async () => {
    const one = openPostgres(opened.url, { max: 1, connectionTimeoutMs: 2_000 })
    const taken = statement('SELECT $1::text')
    const wrong = [{}] as unknown as string[]
    await expect(one.query(taken, wrong)).rejects.toThrow(TypeError)
    expect(await one.query(taken, ['x'])).toEqual([['x']])
    const both = one.transaction(({ query }) =>
      Promise.all([query(taken, ['x']), query(taken, wrong)]),
    )
    await expect(both).rejects.toThrow(TypeError)
    expect(await one.query(taken, ['x'])).toEqual([['x']])
    await one.close()
  })

  it('leave no timer behind where the URL has a query_timeout', async () => {
    const one = openPostgres(`${opened.url}?query_timeout=60000`, { max: 1 })
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout')
    await one.query(statement('SELECT 1'), [])
    const before = timers().length
    for (let count = 0; count < 20; count++) await one.query(statement('SELECT 1'), [])
    expect(timers().length).toBeLessThan(before + 10)
    await one.close()
  })
})

interface Turn {
  readonly began: Gate
  readonly ended: Gate
}

describe('transactions', () => {
  beforeEach(async () => {
    await database.query(statement('CREATE TABLE notes (id serial PRIMARY KEY, text text)'), [])
  })

  it('commit, roll back and end', async () => {
    const insert = statement('INSERT INTO notes (text) VALUES ($1) RETURNING id')
    const failing = database.transaction(async (connection) => {
      await connection.query(insert, ['gone'])
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    const leaked = await database.transaction(async (connection) => {
      await connection.query(insert, ['kept'])
      return connection
    })
    await expect(leaked.query(insert, ['late'])).rejects.toThrow('has ended')
    expect(await database.query(statement('SELECT text FROM notes'), [])).toEqual([['kept']])
  })

  it('that wait for each other both end well: the one that PostgreSQL ends is run again', async () => {
    await database.query(statement(`INSERT INTO notes (text) VALUES (''), ('')`), [])
    const append = statement('UPDATE notes SET text = text || $2 WHERE id = $1')
    const one: Turn = { began: createGate(), ended: createGate() }
    const two: Turn = { began: createGate(), ended: createGate() }
    let runs = 0
    const write = async (ids: [number, number], text: string, own: Turn, other: Turn) => {
      let isFirst = true
      await database.transaction(async (connection) => {
        runs += 1
        if (!isFirst) await other.ended.opened
        isFirst = false
        await connection.query(append, [ids[0], text])
        own.began.open()
        await other.began.opened
        await connection.query(append, [ids[1], text])
      })
      own.ended.open()
    }
    await Promise.all([write([1, 2], 'a', one, two), write([2, 1], 'b', two, one)])
    expect(runs).toBe(3)
    const texts = await database.query(statement('SELECT text FROM notes ORDER BY id'), [])
    expect(['ab', 'ba']).toContain(texts[0]?.[0])
    expect(texts[1]).toEqual(texts[0])
  })

  it('after a failed statement report the failure', async () => {
    const failing = database.transaction(async (connection) => {
      await connection.query(statement('INSERT INTO notes (id) VALUES (1), (1)'), [])
    })
    await expect(failing).rejects.toMatchObject({ kind: 'unique', columns: ['id'] })
    await expect(database.ping()).resolves.toBeUndefined()
  })
})

describe('constraint errors of PostgreSQL', () => {
  beforeEach(async () => {
    const client = new pg.Client(opened.url)
    await client.connect()
    await client.query(`
      CREATE TABLE users (id int PRIMARY KEY, a varchar(5) NOT NULL, "b c" text, n numeric(4,2), CHECK (a <> 'bad'));
      CREATE UNIQUE INDEX ON users (a, "b c");
      CREATE TABLE posts (id int PRIMARY KEY, user_id int REFERENCES users ON DELETE RESTRICT);
      INSERT INTO users VALUES (1, 'a', 'b)=(x');
      INSERT INTO posts VALUES (1, 1)`)
    await client.end()
  })

  it.each([
    [`INSERT INTO users VALUES (2, 'a', 'b)=(x')`, 'unique', ['a', 'b c']],
    [`INSERT INTO posts VALUES (2, 9)`, 'foreign', ['user_id']],
    [`DELETE FROM users`, 'foreign', ['id']],
    [`INSERT INTO users (id) VALUES (3)`, 'notNull', ['a']],
    [`INSERT INTO users VALUES (3, 'bad')`, 'value', []],
    [`INSERT INTO users VALUES (3, 'too long')`, 'value', []],
    [`INSERT INTO users VALUES (3, 'x', 'x', 1000)`, 'value', []],
    [`SELECT 'x'::uuid`, 'value', []],
    [`SELECT '99999999999'::int4`, 'value', []],
    [`SELECT '2026-13-01'::date`, 'value', []],
  ])('%s is %s %j', async (sql, kind, columns) => {
    await expect(database.query(statement(sql), [])).rejects.toMatchObject({
      name: 'ConstraintError',
      kind,
      columns,
    })
  })

  it('NUL in a text is an invalid value', async () => {
    const failing = database.query(statement('SELECT $1::text'), ['a\0b'])
    await expect(failing).rejects.toMatchObject({ kind: 'value' })
  })
})

describe('prepared statements', () => {
  it('compile no statement, which nothing could end: neither own ones, nor those of Kysely or a transaction', async () => {
    const shown = statement('SHOW jit', 'read')
    expect(await database.query(shown, [])).toEqual([['off']])
    expect(await database.transaction((connection) => connection.query(shown, []))).toEqual([
      ['off'],
    ])
    expect((await database.pool.query('SHOW jit')).rows).toEqual([{ jit: 'off' }])
  })

  it('are bounded on the server, whatever callers ask for', async () => {
    const small = openPostgres(opened.url, { max: 1, preparedLimit: 20 })
    for (let shape = 0; shape < 105; shape++) {
      await small.query(statement(`SELECT ${shape}`, 'read'), [])
    }
    const held = await small.query(
      statement('SELECT count(*)::int FROM pg_prepared_statements'),
      [],
    )
    expect(held[0]?.[0]).toBeLessThanOrEqual(20)
    await small.close()
  })

  it('survive a column that another process changed', async () => {
    await database.query(statement('CREATE TABLE things (size int)'), [])
    await database.query(statement('INSERT INTO things VALUES (1)'), [])
    const read = statement('SELECT size FROM things', 'read')
    expect(await database.query(read, [])).toEqual([[1]])
    await database.pool.query('ALTER TABLE things ALTER COLUMN size TYPE text')
    expect(await database.query(read, [])).toEqual([['1']])
    expect(await database.query(read, [])).toEqual([['1']])
    await database.pool.query('ALTER TABLE things ALTER COLUMN size TYPE bigint USING size::bigint')
    const inside = () => database.transaction((connection) => connection.query(read, []))
    expect(await inside()).toEqual([[1]])
    await database.pool.query('ALTER TABLE things ALTER COLUMN size TYPE text')
    expect(await inside()).toEqual([['1']])
  })
})

describe('connections', () => {
  it('that the server cuts are replaced', async () => {
    await database.ping()
    const other = new pg.Client(opened.url)
    await other.connect()
    await other.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    )
    await other.end()
    await expect.poll(() => database.pool.totalCount).toBe(0)
    await expect(database.ping()).resolves.toBeUndefined()
  })

  it('that are kept between two statements are there for others, and are counted as idle', async () => {
    const one = openPostgres(opened.url, { max: 1 })
    const read = statement('SELECT 1', 'read')
    await one.query(read, [])
    expect([one.pool.idleCount, one.pool.totalCount]).toEqual([1, 1])
    const client = await one.pool.connect()
    const waiting = one.query(read, [])
    client.release()
    await expect(waiting).resolves.toEqual([[1]])
    // Somebody waits for the pool while a statement runs.
    const [rows, others] = await Promise.all([one.query(read, []), one.pool.query('SELECT 2 AS n')])
    expect([rows, others.rows]).toEqual([[[1]], [{ n: 2 }]])
    await one.query(read, [])
    await expect(one.close()).resolves.toBeUndefined()
  })

  it('that break while they are kept are replaced, and reported as idle ones are', async () => {
    const errors: Error[] = []
    const one = openPostgres(opened.url, { max: 1, onIdleError: (error) => errors.push(error) })
    const read = statement('SELECT pg_backend_pid()', 'read')
    const [[pid]] = (await one.query(read, [])) as [[number]]
    await database.query(statement('SELECT pg_terminate_backend($1::int)'), [pid])
    await expect.poll(() => one.pool.totalCount).toBe(0)
    expect(errors.map(({ message }) => message)).toEqual([
      'terminating connection due to administrator command',
    ])
    const [[other]] = (await one.query(read, [])) as [[number]]
    expect(other).not.toBe(pid)
    await one.close()
  })

  it('that cannot be made are UnavailableError', async () => {
    const nowhere = openPostgres('postgresql://a:b@127.0.0.1:1/x')
    const failing = nowhere.query(statement('SELECT 1'), [])
    await expect(failing).rejects.toMatchObject({ name: 'UnavailableError' })
    await nowhere.close()
  })

  it('of a pool of two serve transactions that send statements outside of themselves', async () => {
    const narrow = openPostgres(opened.url, { max: 2, connectionTimeoutMs: 2_000 })
    const one = () =>
      narrow.transaction(async (connection) => {
        await connection.query(statement('SELECT 1', 'read'), [])
        return narrow.query(statement('SELECT 2', 'read'), [])
      })
    expect(await Promise.all(Array.from({ length: 8 }, one))).toEqual(
      Array.from({ length: 8 }, () => [[2]]),
    )
    await narrow.close()
  })

  /** Reads on three connections, and locks that hold statements where they are. */
  async function openThree() {
    const narrow = openPostgres(opened.url, { max: 3 })
    const holder = new pg.Client(opened.url)
    await holder.connect()
    await holder.query('SELECT pg_advisory_lock(1), pg_advisory_lock(2)')
    const order: string[] = []
    const read = async (who: string, sql = 'SELECT 1') => {
      const caller = who === '' ? undefined : new Caller(undefined, () => who)
      await narrow.query(statement(sql, 'read'), [], caller)
      order.push(who)
    }
    const held = (who: string, key: 1 | 2) =>
      read(who, `SELECT pg_advisory_lock_shared(${key}), pg_advisory_unlock_shared(${key})`)
    const free = (key: 1 | 2) => holder.query(`SELECT pg_advisory_unlock(${key})`)
    const close = async () => {
      await holder.end()
      await narrow.close()
    }
    return { narrow, order, read, held, free, close }
  }

  it('are never all of one who reads: the last one serves others', async () => {
    const { narrow, order, read, held, free, close } = await openThree()
    const lists = Array.from({ length: 40 }, () => held('ann', 1))
    await read('bob')
    await read('')
    expect([order, narrow.pool.waitingCount]).toEqual([['bob', ''], 38])
    await free(1)
    await Promise.all(lists)
    await close()
  })

  it('go to whoever has the fewest of them, and not to who came first', async () => {
    const { order, read, held, free, close } = await openThree()
    const reads = [held('ann', 1), held('bob', 1), held('dan', 2)]
    reads.push(read('ann'), read('ann'), read('bob'), read('eve'), read(''))
    await free(2)
    await expect.poll(() => order).toEqual(['dan', '', 'eve', 'ann', 'bob', 'ann'])
    await free(1)
    await Promise.all(reads)
    await close()
  })

  it('that never come free are UnavailableError, for Kysely too', async () => {
    const narrow = openPostgres(opened.url, { max: 1, connectionTimeoutMs: 2_000 })
    const db = narrow.kysely<{ notes: { id: number } }>()
    const failures = await narrow.transaction(() =>
      Promise.allSettled([
        narrow.query(statement('SELECT 1'), []),
        narrow.transaction(async () => undefined),
        db.selectFrom('notes').selectAll().execute(),
      ]),
    )
    const names = failures.map((each) => (each.status === 'rejected' ? each.reason.name : null))
    expect(names).toEqual(['UnavailableError', 'UnavailableError', 'UnavailableError'])
    await narrow.close()
  })

  it('that are cut below a statement are UnavailableError, and the next statement has a new one', async () => {
    const own = await database
      .transaction(async (connection) => {
        const [[pid] = []] = await connection.query(statement('SELECT pg_backend_pid()'), [])
        const other = new pg.Client(opened.url)
        await other.connect()
        const sleeping = connection.query(statement('SELECT pg_sleep(60)'), [])
        const cut = other.query('SELECT pg_terminate_backend($1)', [pid])
        const [outcome] = await Promise.allSettled([sleeping, cut])
        await other.end()
        return outcome
      })
      .catch((error: unknown) => error)
    expect(own).toMatchObject({ name: 'UnavailableError' })
    await expect(database.ping()).resolves.toBeUndefined()
  })
})

describe('Kysely over the same pool', () => {
  it('speaks in the values of the row types', async () => {
    await database.query(
      statement(
        'CREATE TABLE events (id int PRIMARY KEY, at timestamptz(3), day date, price numeric(8,2), data jsonb)',
      ),
      [],
    )
    interface Tables {
      events: { id: number; at: Date | string; day: string; price: string; data: unknown }
    }
    const db = database.kysely<Tables>()
    const at = new Date('2026-02-03T04:05:06.789Z')
    const row = { id: 1, day: '2026-02-03', price: '12.50', data: { a: 1 } }
    await db
      .insertInto('events')
      .values({ ...row, at })
      .execute()
    expect(await db.selectFrom('events').selectAll().execute()).toEqual([
      { ...row, at: at.toISOString() },
    ])
    const counted = await db
      .selectFrom('events')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirst()
    expect(counted).toEqual({ n: 1 })
    const twice = db.transaction().execute((trx) =>
      trx
        .insertInto('events')
        .values({ ...row, at })
        .execute(),
    )
    await expect(twice).rejects.toMatchObject({ kind: 'unique', columns: ['id'] })
  })
})

import { expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { existing, served } from './project.js'

test.each(databases)(
  'a table with a key and no other field takes records on %s',
  async (database) => {
    const key = database === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'SERIAL PRIMARY KEY'
    const from = await existing(
      database,
      `CREATE TABLE ticket ("ticketNo" ${key});
     CREATE TABLE gate (id ${key}, secret TEXT DEFAULT 'kept', note VARCHAR(10) DEFAULT (lower('DOOR')));`,
    )
    const project = await served(from, {
      'app/Policies/GatePolicy.ts': (text) =>
        text.replace('store: () => true', 'store: () => ({ note: { isNull: true } })'),
    })
    const { status, body } = await project.ask('POST', '/api/svc/tickets', {})
    expect([status, body.data?.id]).toEqual([201, '1'])
    expect((await project.ask('PATCH', '/api/svc/tickets/1', {})).status).toBe(200)
    const query = '{ ticketList { id } }'
    const listed = await project.ask('POST', '/graphql', { query })
    expect(listed.body).toEqual({ data: { ticketList: [{ id: '1' }] } })
    expect((await project.ask('POST', '/api/svc/gates', {})).status).toBe(201)
    expect(await from.rows('SELECT * FROM gate')).toEqual([{ id: 1, secret: 'kept', note: 'door' }])
  },
)

/** Rows that other programs wrote hold what no field can show: an error with its place, never another value. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
/** Values that the column of the database takes, and no field of its kind. */
const unreadable: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  sqlite: [
    ['notes', `x'00ff'`, 'text'],
    ['area', `'wide'`, 'a number'],
    ['area', '9e999', 'a number'],
    ['price', `'abc'`, 'a number with at most 6 digits before and 2 after the point'],
    ['price', `''`, 'a number with at most 6 digits before and 2 after the point'],
    ['price', '9e999', 'a number with at most 6 digits before and 2 after the point'],
    ['is_open', `'no'`, 'true or false'],
    ['opened_at', `'tomorrow'`, 'a date or a time such as 2026-02-03T04:05:06Z'],
    ['opened_at', '9e99', 'a date or a time such as 2026-02-03T04:05:06Z'],
    ['opened_at', `x'00'`, 'a date or a time such as 2026-02-03T04:05:06Z'],
    ['built_on', `'soon'`, 'a date such as 2026-02-03'],
    ['more', `'{"a":'`, 'JSON'],
    ['more', `x'00ff'`, 'JSON'],
    ['stars', `'many'`, 'a whole number of 64 bits'],
    ['stars', '1.5', 'a whole number of 64 bits'],
    ['tag', `'none'`, 'a UUID'],
  ],
  postgresql: [
    ['area', `'NaN'`, 'a number'],
    ['area', `'-Infinity'`, 'a number'],
    ['price', `'NaN'`, 'a number with at most 6 digits before and 2 after the point'],
    ['opened_at', `'infinity'`, 'a date or a time such as 2026-02-03T04:05:06Z'],
    ['opened_at', `'0044-03-15 12:00 BC'`, 'a date or a time such as 2026-02-03T04:05:06Z'],
    ['opened_at', `'12026-01-01'`, 'a date or a time such as 2026-02-03T04:05:06Z'],
    ['built_on', `'infinity'`, 'a date such as 2026-02-03'],
    ['built_on', `'0044-03-15 BC'`, 'a date such as 2026-02-03'],
  ],
}

describe.each(databases)('a value on %s that no field can show', (name) => {
  let project: Project
  let ada: number
  const sql = (text: string) => project.database.query({ sql: text, access: 'write' }, [])
  beforeAll(async () => {
    project = await openManifest(
      { manifest: 'tests/core/http/manifests/unreadable-values.ts' },
      name,
    )
    ada = await project.user('Ada')
    // As in a table that svc did not make.
    if (name === 'sqlite') await sql('PRAGMA ignore_check_constraints = 1')
  })
  afterAll(() => project.close())

  it.each(unreadable[name] ?? [])('%s holds %s, which is not %s', async (field, value, says) => {
    const id = await project.insert('rooms', { name: 'one' })
    await sql(`UPDATE rooms SET ${field} = ${value} WHERE id = ${id}`)
    const message = `The stored '${field}' of rooms ${id} is not ${says}.`
    const one = await project.get(`/api/svc/rooms/${id}`, ada)
    expect([one.status, one.body]).toEqual([500, { message }])
    const list = await project.get('/api/svc/rooms?sort=-id', ada)
    expect([list.status, list.body]).toEqual([500, { message }])
    const query = `{ room(id: "${id}") { ${field} } }`
    const { body } = await project.post('/graphql', { query }, ada)
    expect(body.errors).toMatchObject([{ message, extensions: { code: 'WRONG_STORED_VALUE' } }])
    await sql(`DELETE FROM rooms WHERE id = ${id}`)
  })

  it('is a number, an instant or a text, however the column has it', async () => {
    const values =
      name === 'sqlite'
        ? `area = 3, price = '1.5', is_open = 2, opened_at = '1970-01-02', built_on = '2026-02-03', stars = -9223372036854775808`
        : `area = 3, price = 1.5, is_open = true, opened_at = '1970-01-02', built_on = '2026-02-03', stars = -9223372036854775808`
    const id = await project.insert('rooms', { name: 'two' })
    await sql(`UPDATE rooms SET ${values} WHERE id = ${id}`)
    const { body } = await project.get(`/api/svc/rooms/${id}`, ada)
    expect(body.data.attributes).toMatchObject({
      area: 3,
      price: '1.50',
      is_open: true,
      opened_at: '1970-01-02T00:00:00.000Z',
      built_on: '2026-02-03',
      stars: '-9223372036854775808',
    })
    if (name === 'postgresql') return
    await sql(`UPDATE rooms SET opened_at = 86400000 WHERE id = ${id}`)
    const again = await project.get(`/api/svc/rooms/${id}`, ada)
    expect(again.body.data.attributes.opened_at).toBe('1970-01-02T00:00:00.000Z')
  })
})

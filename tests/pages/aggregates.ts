/** The pages of docs/aggregates.md. */
import { expect, onTestFinished } from 'vitest'
import { blocks } from '../support/pages.js'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

const page = 'docs/aggregates.md'

export async function tryAggregates(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, page)
  expect(typeCheck(folder)).toBe('')
  const pages = await openFolder(folder, name)
  onTestFinished(() => pages.close())
  const ADA = await register(pages, 'Ada')
  const headers = { Authorization: `Bearer ${ADA}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object) => {
    const made = await pages.request('POST', path, { body: JSON.stringify(body), headers })
    expect([path, made.status, made.body.errors]).toEqual([
      path,
      made.status < 300 ? made.status : 0,
      undefined,
    ])
    return made.body
  }
  const { data } = await post('/api/svc/categories', { name: 'Lamps' })
  for (const order of [
    { status: 'open', total: '5.00', category_id: data.id },
    { status: 'paid', total: '0.10', category_id: data.id, paid_at: '2026-03-31T21:59:59Z' },
    { status: 'paid', total: '0.20', category_id: data.id, paid_at: '2026-03-31T22:00:00Z' },
    { status: 'paid', total: '0.10', paid_at: '2026-04-02T10:00:00Z' },
  ]) {
    await post('/api/svc/orders', order)
  }
  await exchangePage(pages, page, { ADA })
  const [query] = blocks().filter((each) => each.page === page && each.language === 'graphql')
  const answer = await post('/graphql', { query: query?.text })
  expect(answer).toEqual({
    data: { orderAggregate: [{ group: { status: 'paid' }, count: 3, sum: { total: '0.40' } }] },
  })
}

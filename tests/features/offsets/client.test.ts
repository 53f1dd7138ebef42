/** A client of lists that are read from any record on: what compiles. */
import { test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as books from './client/books.js'
export const api = createApi({ baseUrl: '' })
export const known = books
${code}
`

const right = `
export async function read() {
  const window = await books.index(api, { offset: 40, limit: 20 })
  for await (const book of books.each(api, { perPage: 50, sort: ['title'] })) window.data.push(book)
  return window
}`

const mistakes: readonly Mistake[] = [
  [`void books.each(api, { offset: 40 })`, /not assignable to type 'undefined'/],
  [`void books.each(api, { limit: 20 })`, /not assignable to type 'undefined'/],
]

test('a window is asked of one page, and not of what reads page after page', async () => {
  const files = await clientOf(await blueprintOf('features/offsets', 'sqlite'), 'client')
  expectUses(files, use, { right, mistakes })
})

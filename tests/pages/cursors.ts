/** The pages of docs/cursors.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage } from './project.js'

export async function tryCursors(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/cursors.md')
  expect(typeCheck(folder)).toBe('')
  const pages = await openFolder(folder, name)
  onTestFinished(() => pages.close())
  for (const [product, price] of [
    ['Lamp', 20],
    ['Sofa', 900],
    ['Chair', 80],
  ] as const) {
    await pages.insert('products', { name: product, price })
  }
  const first = await pages.get('/api/svc/products?sort=-price,name&perPage=2&cursor=')
  await exchangePage(pages, 'docs/cursors.md', { NEXT: first.body.meta.next_cursor })
}

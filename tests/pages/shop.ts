/** The shop of the README, with what the pages add to it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { blocks } from '../support/pages.js'
import { openFolder } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryShop(): Promise<void> {
  const folder = await emitPages('sqlite', 'README.md', 'docs/hooks.md', 'docs/own-code.md')
  expect(typeCheck(folder)).toBe('')
  openPolicies(join(folder, 'app/Policies'))
  const shop = await openFolder(folder, 'sqlite')
  onTestFinished(() => shop.close())
  const ADA = await register(shop, 'Ada')
  const BEN = await register(shop, 'Ben')
  await shop.insert('categories', { name: 'Light' })
  const lamp = { name: 'Lamp', price: 10, is_active: true, category_id: 1, seller_id: 1 }
  await shop.insert('products', lamp)
  await exchangePage(shop, 'docs/own-code.md', { ADA, BEN })

  const shown = blocks().find(({ page, language }) => page === 'docs/api.md' && language === 'json')
  const headers = { authorization: `Bearer ${BEN}` }
  const { body } = await shop.request('GET', '/api/svc/products/1?include=category', { headers })
  expect(body.data).toMatchObject(shapeOf(JSON.parse(shown?.text ?? '')))
}

/** Those that the pages do not show: everybody may do everything. */
function openPolicies(folder: string): void {
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8')
    writeFileSync(join(folder, file), text.replaceAll('() => false', '() => true'))
  }
}

/** The same keys, with any value of the same kind. */
function shapeOf(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, kindOf(inner)]))
}

const kindOf = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? shapeOf(value)
    : expect.any(Object(value).constructor)

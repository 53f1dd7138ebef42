/** The shop of docs/shop.md, with what other pages add to it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { blocks } from '../support/pages.js'
import { openFolder } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryShop(): Promise<void> {
  const folder = await emitPages('sqlite', 'docs/shop.md', 'docs/hooks.md', 'docs/own-code.md')
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

/** Emits what docs/shop.md shows and nothing else. It has all that a new project has, and its policy opens what the page says. */
export async function trySmallShop(): Promise<void> {
  const folder = await emitPages('sqlite', 'docs/shop.md')
  expect(existsSync(join(folder, 'tests/authorization.test.ts'))).toBe(true)
  const shop = await openFolder(folder, 'sqlite')
  onTestFinished(() => shop.close())
  expect((await shop.request('GET', '/openapi.json')).status).toBe(200)
  const headers = {
    authorization: `Bearer ${await register(shop, 'Ada')}`,
    'content-type': 'application/json',
  }
  const post = async (path: string, body: object) => {
    return shop.request('POST', `/api/svc/${path}`, { headers, body: JSON.stringify(body) })
  }
  expect(await post('categories', { name: 'Light' })).toMatchObject({ status: 201 })
  const lamp = { name: 'Lamp', price: '9.50', category_id: '1' }
  const { status, body } = await post('products', lamp)
  expect([status, body.data?.attributes?.seller_id], JSON.stringify(body)).toEqual([201, '1'])
}

/** Those that the pages do not show: everybody may do everything. */
function openPolicies(folder: string): void {
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8')
    writeFileSync(join(folder, file), text.replaceAll('() => false', '() => true'))
  }
}

/** Returns the keys, with any value of the same kind. */
function shapeOf(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, kindOf(inner)]))
}

const kindOf = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? shapeOf(value)
    : expect.any(Object(value).constructor)

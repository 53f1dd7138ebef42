/** For `npm run test:long`: lists on the page `/docs` of repositories that are walked by cursor, exported and filtered by more than columns. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../support/browser.js'
import { emitFixture, openFolder } from '../../support/project.js'
import { ownFiles } from '../custom-filters/file.js'
import { serveProject, type Pages } from '../graphql/serve-pages.js'
import { openTab, type Tab } from './tab.js'

let browser: Browser
let pages: Pages
let ann: number
let bob: number

beforeAll(async () => {
  browser = await launchBrowser()
  const folder = await emitFixture('features/custom-filters', 'sqlite', {
    'manifest/index.ts': (text) =>
      text
        .replace("reads: ['", "reads: ['filters', 'operators', 'sparse', '")
        .replace("status: 'text'", "status: 'text', likes: 'between', owner_id: 'integer'")
        .replace(
          'match: {',
          "export: { max: 1_000, bom: true },\n  searchable: ['name'],\n  match: {",
        ),
    'config/svc.ts': (text) => text.replace('strict_queries: false', 'strict_queries: true'),
  })
  for (const [path, edit] of Object.entries(ownFiles)) {
    const file = join(folder, path)
    writeFileSync(file, edit(readFileSync(file, 'utf8')))
  }
  pages = await serveProject(await openFolder(folder, 'sqlite', 'development'))
  const { blog: project } = pages
  ann = await project.user('Ann')
  bob = await project.user('Bob')
  for (let at = 1; at <= 37; at += 1) {
    const more = at % 2 === 0 ? { ready_at: '2026-02-03T04:05:06.000Z', status: 'open' } : {}
    const name = `Lamp ${String(at).padStart(2, '0')}`
    const product_id = await project.insert('products', {
      name,
      owner_id: ann,
      likes: at,
      cost: at * 3,
      ...more,
    })
    if (at === 1)
      for (let stars = 10; stars < 17; stars += 1)
        await project.insert('reviews', { product_id, stars, author: 'Bob' })
  }
})

afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

const open = (as: number, width = 1280) => openTab(browser, pages, { width, as })
const ids = ({ page }: Tab) => page.locator('tbody tr th').allTextContents()
const press = ({ page }: Tab, name: string) => page.getByRole('button', { name, exact: true })
const walked = ({ page }: Tab) => page.textContent('.pages span')
const chips = ({ page }: Tab) => page.locator('.chip').allTextContents()

/** Adds a filter, as somebody does who reads the labels. */
async function filter(tab: Tab, label: string, fill: () => Promise<unknown>) {
  const { page } = tab
  if ((await page.locator('.filter[open]').count()) === 0)
    await page.click('summary >> text=Filter')
  await page.selectOption('[aria-label=Column]', { label })
  await fill()
  await press(tab, 'Apply').click()
}

test('a list is walked by cursor, there and back, while others write', async () => {
  const tab = await open(ann)
  await tab.go('#/data/products')
  expect(await ids(tab)).toEqual(numbers(37, 23))
  expect(await walked(tab)).toBe('15 of 37')
  expect(await press(tab, 'The page before').isDisabled()).toBe(true)
  const more = await pages.blog.insert('products', { name: 'Zeppelin', owner_id: ann })
  await press(tab, 'The next page').click()
  await expect.poll(() => ids(tab)).toEqual(numbers(22, 8))
  expect(tab.page.url()).toContain('cursor=')
  await press(tab, 'The next page').click()
  await expect.poll(() => walked(tab)).toBe('7 of 38')
  expect(await press(tab, 'The next page').isDisabled()).toBe(true)
  await press(tab, 'The page before').click()
  await expect.poll(() => ids(tab)).toEqual(numbers(22, 8))
  // Another order begins at its first page.
  await tab.page.click('th >> text=name')
  await expect.poll(async () => (await ids(tab))[0]).toBe('1')
  expect(tab.page.url()).not.toContain('cursor=')
  await pages.blog.request('DELETE', `/api/svc/products/${more}`, { as: ann })
  expect(tab.complaints).toEqual([])
})

test('filters have the words of the server, and its own ones are inputs of their kind', async () => {
  const tab = await open(ann)
  const { page, complaints } = tab
  await tab.go('#/data/products')
  await page.click('summary >> text=Filter')
  const labels = await page.locator('[aria-label=Column] option').allTextContents()
  expect(labels).toEqual(expect.arrayContaining(['Status', 'Liked by many', 'Ready to ship']))
  expect(labels.filter((label) => /cursor|total|filters|fields/i.test(label))).toEqual([])
  const value = '[aria-label=Value]'
  await filter(tab, 'Ready to ship', () => page.selectOption(value, 'true'))
  await expect.poll(() => ids(tab)).toEqual(even(36, 8))
  expect(await chips(tab)).toEqual(['Ready to ship is true ×'])
  await filter(tab, 'Costs', () => page.fill(value, '30'))
  await expect.poll(() => ids(tab)).toEqual(['10'])
  await filter(tab, 'Liked by many', () => page.selectOption(value, 'false'))
  await page.waitForSelector('.empty')
  expect(await chips(tab)).toEqual([
    'Liked by many is false ×',
    'Ready to ship is true ×',
    'Costs is 30 ×',
  ])
  await page.click('.chip >> text=Ready')
  await expect.poll(() => chips(tab)).toEqual(['Liked by many is false ×', 'Costs is 30 ×'])
  await page.click('.chip >> text=Liked')
  await page.click('.chip >> text=Costs')
  await filter(tab, 'Owner id', async () => {
    await page.fill(value, 'Bob')
    await page.locator('main [role=option]', { hasText: `Bob (${bob})` }).click()
  })
  await page.waitForSelector('.empty')
  await expect.poll(() => chips(tab)).toEqual([`Owner id is Bob (${bob}) ×`])
  expect(complaints).toEqual([])
  const tabOfBob = await open(bob)
  await tabOfBob.go('#/data/products')
  await tabOfBob.page.click('summary >> text=Filter')
  const ofBob = await tabOfBob.page.locator('[aria-label=Column] option').allTextContents()
  expect(labels.length - ofBob.length).toBe(2)
})

test('a list is exported with its filters and in its order, as the server writes the file', async () => {
  const tab = await open(ann)
  const { page } = tab
  const saved = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      press(tab, 'Export CSV').click(),
    ])
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  await tab.go('#/data/products?likes=1,20&sort=name')
  const { name, text } = await saved()
  expect(name).toBe('products.csv')
  expect(text.startsWith('\uFEFFid,name')).toBe(true)
  const rows = text.trim().split('\r\n')
  expect(rows.slice(1).map((row) => Number(row.split(',')[0]))).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  await tab.go('#/data/pages')
  expect(await press(tab, 'Export CSV').count()).toBe(0)
  expect(tab.complaints).toEqual([])
})

test('lists below a record are walked and filtered as well', async () => {
  const tab = await open(ann)
  await tab.go('#/data/products/1')
  const rows = tab.page.locator('section tbody tr')
  await expect.poll(() => rows.count()).toBe(5)
  await press(tab, 'The next page').click()
  await expect.poll(() => rows.count()).toBe(2)
  expect(await press(tab, 'Export CSV').count()).toBe(0)
  await filter(tab, 'Good', () => tab.page.selectOption('[aria-label=Value]', 'false'))
  await tab.page.waitForSelector('.empty')
  expect(tab.complaints).toEqual([])
})

test('it fits a telephone', async () => {
  const tab = await openTab(browser, pages, { width: 360, as: ann, colorScheme: 'dark' })
  await tab.go('#/data/products?filters=W3sia2V5IjoicmVhZHkiLCJ2YWx1ZSI6dHJ1ZX1d')
  await tab.page.click('summary >> text=Filter')
  await tab.page.selectOption('[aria-label=Column]', { label: 'Ready to ship' })
  const wide = await tab.page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(wide).toBeLessThan(1)
})

const numbers = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => String(from - at))
const even = (from: number, to: number) =>
  numbers(from, to).filter((each) => Number(each) % 2 === 0)

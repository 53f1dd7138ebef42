/** For `npm run test:long`: rows on the page `/docs`, as somebody works with them who has to get something done. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../support/browser.js'
import { servePages, type Pages } from '../graphql/serve-pages.js'
import { openTab, type Tab } from './tab.js'

const markup = '<img src=x onerror="document.title = 1">'

/** Posts with fields of every kind that is filtered, and one that Ann alone sees; tags that she alone makes. */
const edits = {
  'manifest/posts.ts': (text: string) =>
    text
      .replace('  belongsTo,', '  belongsTo,\n  boolean,\n  decimal,\n  select,')
      .replace(
        'match: {',
        "match: { status: 'text', price: 'between', is_open: 'boolean', secret: 'text',",
      )
      .replace("sort: ['id',", "sort: ['id', 'secret',")
      .replace(
        'fields: {',
        `fields: {
          status: select(['draft', 'live', 'old']).default('draft'),
          price: decimal(8, 2).nullable(),
          is_open: boolean().default(false),
          secret: text().max(20).nullable(),`,
      ),
  'app/Policies/PostPolicy.ts': (text: string) =>
    text.replace(
      '  show:',
      `  canSee: { secret: (user) => user?.name === 'Ann' },
  canStore: { secret: (user) => user?.name === 'Ann' },
  canUpdate: { secret: (user) => user?.name === 'Ann' },
  show:`,
    ),
  'app/Policies/TagPolicy.ts': (text: string) =>
    text.replace('store: (user) => user !== null', "store: (user) => user?.name === 'Ann'"),
}

let browser: Browser
let pages: Pages
let ann: number
let ben: number
let post: number

beforeAll(async () => {
  browser = await launchBrowser()
  pages = await servePages(edits)
  const { blog } = pages
  ann = await blog.user('Ann')
  ben = await blog.user('Ben')
  for (let at = 0; at < 110; at += 1) await blog.user(`Person ${at}`)
  await blog.user('Zoe')
  const shared = { owner_id: ann, is_open: false, published_at: '2026-01-01T00:00:00.000Z' }
  const row = (title: string, more: object = {}) =>
    blog.insert('posts', { ...shared, title, status: 'live', ...more })
  post = await row('First', { price: '5.00', secret: 'hush' })
  await row('Second', { status: 'old', price: '15.00', published_at: '2026-03-01T10:00:00.000Z' })
  await row(markup, { status: 'draft', is_open: true })
  for (let at = 1; at <= 7; at += 1) {
    await blog.insert('comments', { body: `Comment ${at}`, post_id: post, user_id: ben })
  }
  await blog.insert('tags', { name: 'tools' })
})

afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

const open = (as?: number, width = 1280) =>
  openTab(browser, pages, { width, ...(as === undefined ? {} : { as }) })

const titles = ({ page }: Tab) => page.locator('tbody tr td:first-of-type').allTextContents()
const options = ({ page }: Tab) => page.locator('main [role=option]').allTextContents()
const button = ({ page }: Tab, name: string) => page.getByRole('button', { name, exact: true })
const section = ({ page }: Tab, name: string) =>
  page.locator('section', { has: page.locator(`h2 >> text=${name}`) })

test('a relation is picked by searching among all records, by its name or its id, from the keyboard', async () => {
  const tab = await open(ann)
  const { page, go, complaints } = tab
  await go('#/data/phones')
  await button(tab, 'New Phone').click()
  await page.fill('#record-number', '1')
  await page.locator('#record-user_id').pressSequentially('zo')
  await expect.poll(() => options(tab)).toEqual([expect.stringMatching(/^Zoe \(\d+\)$/)])
  await page.keyboard.press('Enter')
  expect(await page.inputValue('#record-user_id')).toMatch(/^Zoe/)
  await page.fill('#record-user_id', String(ben))
  await expect.poll(async () => (await options(tab))[0]).toBe(`Ben (${ben})`)
  await page.keyboard.press('Escape')
  await page.fill('#record-user_id', '')
  await expect.poll(async () => (await options(tab)).at(-1)).toBe('More …')
  const few = (await options(tab)).length
  await page.locator('main [role=option]').last().click()
  await expect.poll(async () => (await options(tab)).length).toBeGreaterThan(few)
  await page.fill('#record-user_id', 'Zoe')
  await expect.poll(() => options(tab)).toHaveLength(1)
  await page.keyboard.press('Enter')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await button(tab, 'Save').click()
  const [zoe] = (await pages.blog.get('/api/svc/users?search=Zoe', ann)).body.data
  expect((await sent).postDataJSON().user_id).toBe(zoe.id)
  expect(complaints).toEqual([])
})

test('the children of a record are a table with their columns, made and changed there, and totals are of now', async () => {
  const tab = await open(ann)
  const { page, go, complaints } = tab
  await go(`#/data/posts/${post}`)
  const comments = section(tab, 'comments')
  const heads = comments.locator('thead th')
  expect(await heads.allTextContents()).toEqual([
    'id',
    'body',
    'user_id',
    'created_at',
    'updated_at',
  ])
  const total = () => comments.locator('.quiet').first().textContent()
  expect(await total()).toBe('7')
  await comments.getByRole('button', { name: 'The next page' }).press('Enter')
  await expect.poll(() => comments.locator('tbody tr').count()).toBe(2)
  await comments.getByRole('button', { name: 'New Comment' }).click()
  await page.fill('#comments-body', markup)
  await comments.getByRole('button', { name: 'Save' }).click()
  await expect.poll(total).toBe('8')
  expect(await page.textContent('h1')).toBe('First')
  await comments.getByRole('button', { name: 'The page before' }).click()
  await comments.getByRole('button', { name: `Edit ${markup}` }).click()
  await page.fill('#comments-body', 'Mended')
  await comments.getByRole('button', { name: 'Save' }).click()
  await comments.locator('td >> text=Mended').waitFor()
  const mended = await pages.blog.get(`/api/svc/posts/${post}/comments?search=Mended`, ann)
  expect(mended.body.meta.total).toBe(1)
  const tags = section(tab, 'tags')
  await page.getByLabel('Attach to tags').fill('tools')
  await tags.getByRole('option').click()
  await tags.getByRole('button', { name: 'Attach' }).click()
  await tags.getByRole('button', { name: 'Detach tools' }).waitFor()
  // Somebody else makes one meanwhile: it counts when this tab is looked at again.
  await pages.blog.insert('comments', { body: 'Later', post_id: post, user_id: ben })
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect.poll(total).toBe('9')
  expect(await page.locator('main img').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('filters fit their kind: options, yes or no, dates, ranges, records, and no value', async () => {
  const tab = await open(ann)
  const { page, go, complaints } = tab
  const filter = async (column: string, fill: () => Promise<unknown>) => {
    await go('#/data/posts?sort=id')
    await page.click('summary >> text=Filter')
    await page.selectOption('[aria-label=Column]', column)
    await fill()
    await button(tab, 'Apply').click()
    await page.waitForSelector('.chip')
    await page.waitForSelector('[aria-busy]', { state: 'detached' })
    return titles(tab)
  }
  const checked = async () => {
    await page.check('text=draft')
    await page.check('text=old')
  }
  expect(await filter('status', checked)).toEqual(['Second', markup])
  expect(await page.textContent('.chip')).toBe('status is draft,old ×')
  const yes = () => page.selectOption('[aria-label=Value]', 'true')
  expect(await filter('is_open', yes)).toEqual([markup])
  const since = () => page.fill('[aria-label=From]', '2026-02-01')
  expect(await filter('published_at', since)).toEqual(['Second'])
  const until = () => page.fill('[aria-label=To]', '2026-02-01')
  expect(await filter('published_at', until)).toEqual(['First', markup])
  const range = async () => {
    await page.fill('[aria-label=From]', '4.5')
    await page.fill('[aria-label=To]', '15')
  }
  expect(await filter('price', range)).toEqual(['First', 'Second'])
  const none = () => page.selectOption('[aria-label=Comparison]', 'null')
  expect(await filter('price', none)).toEqual([markup])
  const record = async () => {
    await page.fill('[aria-label=Value]', 'Ann')
    await page.locator('main [role=option]', { hasText: `Ann (${ann})` }).click()
  }
  expect(await filter('owner_id', record)).toHaveLength(3)
  await expect.poll(() => page.textContent('.chip')).toBe(`owner_id is Ann (${ann}) ×`)
  await page.click('.chip')
  await expect.poll(() => page.locator('.chip').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('edits that are not saved ask before their page goes, and a dialog ends with its page', async () => {
  const tab = await open(ann)
  const { page, go } = tab
  await go('#/data/posts')
  await go(`#/data/posts/${post}`)
  const dialog = page.getByRole('dialog')
  const leave = async (how: () => Promise<unknown>, choice: string) => {
    await how()
    await dialog.waitFor()
    expect(await dialog.textContent()).toContain('is not saved')
    await dialog.getByRole('button', { name: choice }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await button(tab, 'Edit').first().click()
  await page.fill('#record-title', 'Half')
  await leave(() => page.click('#tabs >> text=Try'), 'Keep')
  await expect.poll(() => page.url()).toContain(`/data/posts/${post}`)
  await leave(() => page.goBack(), 'Keep')
  await expect.poll(() => page.url()).toContain(`/data/posts/${post}`)
  expect(await page.inputValue('#record-title')).toBe('Half')
  const closing = page.waitForEvent('dialog')
  await page.evaluate('setTimeout(() => location.reload())')
  const native = await closing
  expect(native.type()).toBe('beforeunload')
  await native.dismiss()
  await leave(() => page.goBack(), 'Leave')
  await expect.poll(() => page.textContent('h1')).toBe('posts')
  expect((await pages.blog.get(`/api/svc/posts/${post}`, ann)).body.data.attributes.title).toBe(
    'First',
  )
  await go(`#/data/posts/${post}`)
  await button(tab, 'Delete').click()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.textContent('h1')).toBe('posts')
  expect((await pages.blog.get(`/api/svc/posts/${post}`, ann)).status).toBe(200)
})

test('a form that is not saved is not thrown away for another one', async () => {
  const tab = await open(ann)
  const { page, go } = tab
  await go(`#/data/posts/${post}`)
  const comments = section(tab, 'comments')
  await comments.getByRole('button', { name: 'New Comment' }).click()
  await page.fill('#comments-body', 'Half')
  await comments.getByRole('button', { name: 'Edit' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click()
  expect(await page.inputValue('#comments-body')).toBe('Half')
})

test('New is only where store can say yes, and gated fields stay hidden, as the server answers', async () => {
  const seen = async (as: number | undefined, view: string) => {
    const tab = await open(as)
    await tab.go(`#/data/${view}`)
    const isMade = (await tab.page.locator('button', { hasText: /^New / }).count()) > 0
    const columns = await tab.page.locator('thead th').allTextContents()
    await tab.page.context().close()
    return { isMade, knowsSecret: columns.includes('secret') }
  }
  expect(await seen(ann, 'tags')).toMatchObject({ isMade: true })
  expect(await seen(ben, 'tags')).toMatchObject({ isMade: false })
  expect(await seen(undefined, 'tags')).toMatchObject({ isMade: false })
  expect(await seen(ann, 'posts')).toEqual({ isMade: true, knowsSecret: true })
  expect(await seen(ben, 'posts')).toEqual({ isMade: true, knowsSecret: false })
  const tab = await open(ben)
  await tab.go('#/data/posts')
  await button(tab, 'New Post').click()
  expect(await tab.page.locator('#record-title').count()).toBe(1)
  expect(await tab.page.locator('#record-secret').count()).toBe(0)
  await tab.page.click('summary >> text=Filter')
  const columns = await tab.page.locator('[aria-label=Column] option').allTextContents()
  expect(columns).toContain('status')
  expect(columns).not.toContain('secret')
})

test('the search finds rows of every repository that can be searched', async () => {
  const tab = await open(ann)
  const { page, complaints } = tab
  await page.keyboard.press('/')
  await page.keyboard.type('comment')
  const found = page.locator('#search-all-found [role=option]')
  const rows = async () => (await found.allTextContents()).filter((text) => text.startsWith('row'))
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^rowsAll \d+ of comments$/))
  await page.keyboard.press('Control+A')
  await page.keyboard.type('onerror')
  await expect.poll(rows).toContainEqual(expect.stringContaining(markup))
  await page.keyboard.press('Enter')
  await expect.poll(() => page.textContent('h1')).toBe(markup)
  expect(await page.locator('#search img, main img').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('GraphiQL is linked, and knows the token, which stands in no address', async () => {
  const tab = await open(ann)
  const { page } = tab
  const link = page.locator('#tabs >> text=GraphiQL')
  expect(await link.getAttribute('href')).toBe(`${pages.origin}/graphql`)
  await link.click()
  const button = page.locator('.graphiql-execute-button')
  await button.waitFor()
  expect(page.url()).toBe(`${pages.origin}/graphql`)
  const sent = page.waitForRequest((request) => request.postData()?.includes('__typename') === true)
  await button.click()
  expect((await sent).headers()['authorization']).toBe(`Bearer ${pages.blog.token(ann)}`)
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(pages.blog.token(ann))
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs in the browser. */
const violations = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`

test.each([
  [1280, 'light'],
  [360, 'dark'],
] as const)(
  'axe finds nothing at %d pixels in the %s, and all of it fits',
  async (width, scheme) => {
    const tab = await openTab(browser, pages, { width, colorScheme: scheme, as: ann })
    const { page, go } = tab
    // The policy of the page lets no script in that it does not name.
    await page.evaluate(axe)
    const check = async (where: string) => {
      expect(await page.evaluate(violations), where).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThan(
        1,
      )
    }
    for (const view of ['', '/posts', `/posts/${post}`, `/posts/${post}/comments`]) {
      await go(`#/data${view}`)
      await check(view)
    }
    await go('#/data/posts')
    await page.click('summary >> text=Filter')
    await page.selectOption('[aria-label=Column]', 'owner_id')
    await page.locator('[aria-label=Value]').pressSequentially('person')
    await page.waitForSelector('main [role=option]')
    await check('a filter')
    await page.keyboard.press('Escape')
    await button(tab, 'New Post').click()
    await check('a form')
    await page.fill('#record-title', 'Half')
    await page.evaluate("location.hash = '#/data/tags'")
    await page.waitForSelector('dialog')
    await check('a dialog')
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForSelector('h1 >> text=tags')
    await page.locator('#search-all').pressSequentially('comment')
    await page.waitForSelector('#search-all-found [role=option] >> text=row')
    await check('the search')
  },
)

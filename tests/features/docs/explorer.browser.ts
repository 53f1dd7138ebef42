/** For `npm run test:long`: the page of an emitted blog in a browser, as somebody uses it who has never seen it. */
import { runInThisContext } from 'node:vm'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as client from '../../../fixtures/blog-client/client.js'
import * as posts from '../../../fixtures/blog-client/posts.js'
import { launchBrowser } from '../../support/browser.js'
import { servePages, type Pages } from '../graphql/serve-pages.js'
import { openTab } from './tab.js'

let browser: Browser
let pages: Pages
let ann: number
let ben: number
const markup = '<img src=x onerror="document.title = 1"><b>bold</b>'

beforeAll(async () => {
  browser = await launchBrowser()
  pages = await servePages()
  const { blog } = pages
  ann = await blog.user('Ann')
  ben = await blog.user('Ben')
  const published = { published_at: '2026-01-01T00:00:00.000Z' }
  const first = await blog.insert('posts', { title: 'First', owner_id: ann, ...published })
  await blog.insert('posts', { title: markup, owner_id: ben, ...published })
  await blog.insert('posts', { title: 'Hidden', owner_id: ben })
  for (const body of ['One', 'Two'])
    await blog.insert('comments', { body, post_id: first, user_id: ben })
  await blog.insert('tags', { name: 'tools' })
})

afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

const views = [
  ...['#/resources', '#/resources/posts', '#/data', '#/data/posts', '#/data/posts/1'],
  ...['#/data/posts/1/comments', '#/try', '#/try/indexPosts', '#/try/storePost'],
  ...['#/relations', '#/relations/posts', '#/policies', '#/policies/posts', '#/sign-in'],
]

describe.each([360, 768, 1280])('at %d pixels', (width) => {
  test.each(['light', 'dark'] as const)(
    'every view fits, is labelled and can be read in the %s',
    async (colorScheme) => {
      const tab = await openTab(browser, pages, { width, colorScheme, as: ann })
      for (const view of views) {
        await tab.go(view)
        expect(await tab.page.evaluate(wrongOnPage), view).toEqual([])
      }
      expect([tab.complaints, tab.foreign]).toEqual([[], []])
    },
  )
})

/** Runs in the browser: what is too wide, has no name, or has too little contrast. */
const wrongOnPage = `(() => {
  const wrong = []
  const wide = document.documentElement.scrollWidth - innerWidth
  if (wide > 0) wrong.push('too wide by ' + wide)
  for (const each of document.querySelectorAll('input, select, textarea, button, a')) {
    const named = each.getAttribute('aria-label') || each.labels?.length > 0 || (each.tagName !== 'SELECT' && each.textContent.trim())
    if (!named) wrong.push('no name: ' + each.outerHTML.slice(0, 120))
  }
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const over = (color, below) => {
    canvas.fillStyle = 'rgb(' + below.join() + ')'
    canvas.fillRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
  }
  const ground = (element) => {
    if (element === null) return [255, 255, 255]
    return over(getComputedStyle(element).backgroundColor, ground(element.parentElement))
  }
  const light = (color) => {
    const [r, g, b] = color.map((each) => (each / 255 <= 0.03928 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const isShown = node.data.trim() !== '' && element.checkVisibility() && !element.closest('svg, :disabled, option, noscript')
    if (!isShown) continue
    const below = ground(element)
    const [one, other] = [light(over(getComputedStyle(element).color, below)), light(below)]
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (contrast < 4.5) wrong.push('contrast ' + contrast.toFixed(2) + ': ' + node.data.trim().slice(0, 40))
  }
  return wrong
})()`

test('the token of a link is in memory only, and a password makes another one', async () => {
  const { page, go } = await openTab(browser, pages, { as: ann })
  expect(page.url()).toBe(`${pages.origin}/docs`)
  await expect.poll(() => page.textContent('#account')).toBe('Ann')
  await page.reload()
  await expect.poll(() => page.textContent('#account')).toBe('Sign in')
  const account = { name: 'Cora', email: 'cora@example.com', password: 'correct horse' }
  await pages.blog.post('/api/register', { ...account, password_confirmation: account.password })
  await go('#/data/posts')
  await page.locator('main').getByRole('link', { name: 'Sign in' }).click()
  await page.fill('#email', account.email)
  await page.fill('#password', 'wrong')
  await page.press('#password', 'Enter')
  await page.waitForSelector('[role=alert]:not(:empty)')
  await page.fill('#password', account.password)
  await page.check('input[type=checkbox]')
  await page.press('#password', 'Enter')
  await expect.poll(() => page.textContent('#account')).toBe('Cora')
  await page.reload()
  await expect.poll(() => page.textContent('#account')).toBe('Cora')
  await go('#/sign-in')
  await page.click('text=Sign out')
  await expect.poll(() => page.textContent('#account')).toBe('Sign in')
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

test('rows are found, followed, made, changed and deleted under the policies of their user', async () => {
  const { page, go, complaints } = await openTab(browser, pages, { as: ann })
  await go('#/data/posts')
  const titles = () => page.locator('tbody tr td:first-of-type').allTextContents()
  expect(await titles()).toEqual([markup, 'First'])
  expect(await page.locator('main img, main b').count()).toBe(0)
  await page.click('th >> text=title')
  await expect.poll(() => page.url()).toContain('sort=title')
  await go('#/data/posts?search=First')
  expect(await titles()).toEqual(['First'])
  await go('#/data/posts')
  await page.click('summary >> text=Filter')
  await page.selectOption('[aria-label=Column]', 'owner_id')
  await page.fill('[aria-label=Value]', String(ben))
  await page.click('text=Apply')
  await expect.poll(titles).toEqual([markup])
  await page.click('td >> text=Ben')
  await expect.poll(() => page.textContent('h1')).toBe('Ben')
  expect(await page.isDisabled('text=Edit')).toBe(true)

  await go('#/data/posts')
  await page.click('text=New Post')
  await page.click('button >> text=Save')
  await expect.poll(() => page.textContent('#record-title-error')).not.toBe('')
  const refused = await page.textContent('form')
  const told = await page.textContent('#record-title-error')
  expect(refused?.split(told ?? '')).toHaveLength(2)
  await page.fill('#record-title', 'Second')
  await page.fill('#record-published_at', '2026-02-03T04:05:06')
  await page.click('button >> text=Save')
  await expect.poll(() => page.textContent('h1')).toBe('Second')
  expect(await page.textContent('main')).toContain('2026-02-03 04:05')
  await page.click('text=Edit')
  await page.fill('#record-title', markup)
  await page.click('button >> text=Save')
  await expect.poll(() => page.textContent('h1')).toBe(markup)
  await page.fill('[aria-label="Attach to tags"]', 'tools')
  await page.click('[role=option] >> text=tools (1)')
  await page.click('button >> text=Attach')
  await page.waitForSelector('[aria-label="Detach tools"]')
  await page.click('[aria-label="Detach tools"]')
  await page.waitForSelector('[aria-label="Detach tools"]', { state: 'detached' })
  const path = page.url().split('#')[1] ?? ''
  expect(
    (await pages.blog.get(`/api/svc${path.replace('/data', '')}`, ann)).body.data,
  ).toMatchObject({
    attributes: { title: markup, published_at: '2026-02-03T04:05:06.000Z' },
  })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(titles).toEqual([markup, 'First'])
  await page.click('td >> text=First')
  await expect.poll(() => page.textContent('h1')).toBe('First')
  await go('#/data/posts?search=100%')
  await expect.poll(titles).toEqual([])
  await page.evaluate("location.hash = '#/data/posts/100%'")
  await page.waitForSelector('main [role=alert]')
  await go('#/data/posts/1')
  await page.click('h2 >> text=comments')
  await expect.poll(titles).toEqual(['Two', 'One'])
  expect(complaints).toEqual([])
})

/** The call as it is shown, with the client of the blog. */
function run(code: string, token: string) {
  const modules = { client, posts }
  const called = code
    .replaceAll(/import (.+) from '\.\/api\/(\w+)\.js'/g, 'const $1 = modules.$2')
    .replace('* as ', '')
    .replace("'TOKEN'", 'token')
    .replace('\nconsole.log(await ', '\nreturn (')
  return runInThisContext(`async (modules, token) => {\n${called}\n}`)(modules, token)
}

test('a request is tried, with its cost, and its code does the same elsewhere', async () => {
  const { page, go, complaints } = await openTab(browser, pages, { as: ann })
  await go('#/try/indexPosts')
  await page.fill('#parameter-include', 'owner,comments')
  await page.fill('#parameter-search', "it's")
  await page.press('#parameter-search', 'Control+Enter')
  await page.waitForSelector('.badge >> text=200')
  expect(await page.textContent('.cost')).toMatch(
    /^\d+ ms · \d statements · [\d.]+ ms in the database$/,
  )
  await page.fill('#parameter-search', '')
  const codes = () => page.locator('.codes code').allTextContents()
  const [curl = '', index = ''] = await codes()
  expect(curl).toBe(
    `curl '${pages.origin}/api/svc/posts?include=owner,comments' \\\n  -H "Authorization: Bearer $TOKEN"`,
  )
  const { data } = await run(index, pages.blog.token(ann))
  expect(data.at(-1).relationships.owner.attributes.name).toBe('Ann')
  await go('#/try/storePost')
  await page.fill('#body-title', "It's")
  await page.check('text=Put my token into the code')
  const [, store = ''] = await codes()
  const made = await run(store, '')
  expect(made.attributes).toMatchObject({ title: "It's", owner_id: String(ann) })
  await page.fill('#body-title', '')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForSelector('.badge >> text=422')
  expect(await page.textContent('#body-title-error')).not.toBe('')
  await go('#/try/showPost')
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.evaluate('document.activeElement.id')).toBe('parameter-id')
  expect(complaints).toEqual([])
})

test('what a request deletes is asked about before it is sent, by key or by click', async () => {
  const { blog } = pages
  const post = await blog.insert('posts', { title: 'Going', owner_id: ann })
  const { page, go, complaints } = await openTab(browser, pages, { as: ann })
  const isThere = async () => (await blog.get(`/api/svc/posts/${post}`, ann)).status === 200
  await go('#/try/deletePost')
  await page.fill('#parameter-id', String(post))
  await page.press('#parameter-id', 'Control+Enter')
  const dialog = page.getByRole('dialog')
  const question = `Delete a post: /api/svc/posts/${post}? It cannot be undone.`
  expect(await dialog.textContent()).toContain(question)
  await dialog.getByRole('button', { name: 'Keep' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await isThere()).toBe(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.waitForSelector('.badge >> text=204')
  expect(await isThere()).toBe(false)
  expect(complaints).toEqual([])
})

test('several records are attached at once, and none is a list, too', async () => {
  const { blog } = pages
  const company = await blog.insert('companies', { name: 'Many' })
  const { page, go, complaints } = await openTab(browser, pages, { as: ann })
  const attached = async () => {
    const { body } = await blog.get(`/api/svc/companies/${company}/users?sort=id`, ann)
    return body.data.map((each: { id: string }) => Number(each.id))
  }
  const send = async (operation: string, ids: string) => {
    await go(`#/try/${operation}`)
    await page.fill('#parameter-id', String(company))
    await page.fill('#body-users', ids)
    const [, code = ''] = await page.locator('.codes code').allTextContents()
    await page.getByRole('button', { name: 'Send' }).click()
    return code
  }
  const answered = () => page.waitForSelector('.badge.good')
  const code = await send('attachCompanyUsers', `${ann}, ${ben}`)
  await answered()
  expect(await attached()).toEqual([ann, ben])
  expect(code).toContain(`"${ann}",\n    "${ben}"`)
  await send('detachCompanyUsers', String(ann))
  await answered()
  expect(await attached()).toEqual([ben])
  const dialog = page.getByRole('dialog')
  const answer = (name: string) => dialog.getByRole('button', { name }).click()
  await send('syncCompanyUsers', '')
  expect(await dialog.textContent()).toContain('This detaches all users. It cannot be undone.')
  await answer('Keep')
  expect(await attached()).toEqual([ben])
  await send('syncCompanyUsers', String(ann))
  await answered()
  expect(await attached()).toEqual([ann])
  await send('syncCompanyUsers', '')
  await answer('Send')
  await answered()
  expect(await attached()).toEqual([])
  expect(complaints).toEqual([])
})

test('what nobody touched stays as it is, though an input writes it another way', async () => {
  const values = { title: 'one\ntwo', description: 'a\r\nb', owner_id: ann }
  const id = await pages.blog.insert('posts', values)
  const { page, go, complaints } = await openTab(browser, pages, { as: ann })
  await go(`#/data/posts/${id}`)
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.click('text=Edit')
  await page.fill('#record-published_at', '2026-02-03T04:05:06')
  await page.click('button >> text=Save')
  expect((await sent).postDataJSON()).toEqual({ published_at: '2026-02-03T04:05:06.000Z' })
  await page.waitForSelector('text=2026-02-03 04:05')
  const { body } = await pages.blog.get(`/api/svc/posts/${id}`, ann)
  expect(body.data.attributes).toMatchObject({ title: 'one\ntwo', description: 'a\r\nb' })
  expect(complaints).toEqual([])
})

test('everything is found from the keyboard', async () => {
  const { page } = await openTab(browser, pages, { as: ann })
  await page.keyboard.press('/')
  await page.keyboard.type('owner')
  const chosen = () => page.textContent('#search-all-found [aria-selected=true]')
  await expect.poll(chosen).toContain('relation')
  await page.keyboard.press('ArrowDown')
  expect(await chosen()).toContain('owner_id')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.textContent('h1')).toBe('posts')
  await page.keyboard.press('/')
  await page.keyboard.type('zzz')
  await expect.poll(() => page.textContent('#search-all-found')).toBe('Nothing is called so.')
  await page.keyboard.press('Escape')
  expect(await page.isHidden('#search-all-found')).toBe(true)
  await page.focus('#tabs a')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.textContent('h1')).toBe('Data')
})

test('the picture leads from one repository to the next, and policies are in words and SQL', async () => {
  const { page, go } = await openTab(browser, pages, { as: ann })
  await go('#/relations')
  await page.click('.node >> text=comments')
  await expect.poll(() => page.textContent('.node.current')).toBe('comments')
  expect(await page.locator('.node.near').allTextContents()).toEqual(['posts', 'users'])
  await go('#/policies/posts')
  const update = page.locator('tr', { has: page.locator('code >> text=update') }).first()
  expect(await update.locator('td').nth(1).textContent()).toContain(`owner_id is ${ann}`)
  await update.locator('summary').first().click()
  expect(await update.locator('pre').first().textContent()).toBe('"posts"."owner_id" = ?')
})

test('policies are shown for the users one names, and this browser remembers whom', async () => {
  const { page, go, complaints } = await openTab(browser, pages)
  await go('#/policies')
  const users = page.getByLabel('Users by id or e-mail')
  const heads = () => page.locator('section').first().locator('thead th').allTextContents()
  await users.fill(`${ben}, nobody`)
  await users.press('Enter')
  await expect.poll(heads).toEqual(['Method', 'guest', `Ben #${ben}`])
  expect(await page.textContent('[role=alert]')).toBe('No user: nobody')
  await page.reload()
  await go('#/policies/posts')
  expect(await heads()).toEqual(['Method', 'guest', `Ben #${ben}`])
  await users.fill('')
  await users.press('Enter')
  await expect.poll(heads).toContain(`Ann #${ann}`)
  expect(complaints).toEqual([])
})

test('Why? says of each right of a record which leaf of the policy decides', async () => {
  const { page, go, complaints } = await openTab(browser, pages, { as: ann })
  const id = await pages.blog.insert('posts', { title: 'Asked about', owner_id: ann })
  await go(`#/data/posts/${id}`)
  const why = page.locator('details', { has: page.locator('summary >> text=Why?') }).first()
  await why.locator('summary').first().click()
  const update = why.locator('details', { hasText: 'update' })
  await update.locator('summary').click()
  await expect
    .poll(() => update.locator('pre').textContent())
    .toContain(`owner_id is the user's id`)
  await go('#/policies/posts')
  await page.getByLabel('Id of posts').fill(String(id))
  await page.getByLabel('Id of posts').press('Enter')
  const asked = page.locator('summary >> text=Why?')
  await asked.first().click()
  const guest = page.locator('details', { has: asked }).first()
  await expect.poll(() => guest.textContent()).toContain('delete: no')
  expect(complaints).toEqual([])
})

test.each(['every-kind', 'awkward-names'])('every view of %s is drawn', async (fixture) => {
  const others = await servePages({}, fixture)
  try {
    const { page, go, complaints } = await openTab(browser, others)
    await go('#/resources')
    const keys = await page.locator('.side a').allTextContents()
    expect(keys.length).toBeGreaterThan(9)
    for (const view of ['resources', 'relations', 'policies', 'data']) {
      for (const key of keys) {
        await go(`#/${view}/${key}`)
        expect(await page.textContent('main'), `${view} of ${key}`).toContain(key)
      }
    }
    await go('#/try')
    const ids: string[] = await page.evaluate(
      `[...document.querySelectorAll('.chooser option')].flatMap((each) => each.value || [])`,
    )
    expect(ids).toContain('login')
    for (const id of ids) await go(`#/try/${id}`)
    expect(complaints).toEqual([])
  } finally {
    await others.close()
  }
})

test('a decimal is sent with all of its digits', async () => {
  const { page } = await openTab(browser, pages)
  const sent = (text: string) =>
    page.evaluate(
      `import('/docs/form.js').then(({ inputOf }) => {
        const { element, read } = inputOf({ type: ['string', 'number', 'null'] })
        element.value = '${text}'
        return read()
      })`,
    )
  expect(await sent('1.50')).toBe(1.5)
  expect(await sent('12345678901234567.89')).toBe('12345678901234567.89')
})

test('a URL or a phone number is a link, and what is none is text', async () => {
  const { page } = await openTab(browser, pages)
  const drawn = (value: string, format = 'uri') =>
    page.evaluate(
      `import('/docs/values.js').then(({ shown }) => {
        const found = shown(${JSON.stringify(value)}, { type: 'string', format: '${format}' })
        return typeof found === 'string' ? found : [found.tagName, found.href, found.rel, found.textContent]
      })`,
    )
  const address = `https://example.com/?q="a"&b=<i>`
  const href = new URL(address).href
  expect(await drawn(address)).toEqual(['A', href, 'noopener noreferrer', address])
  expect(await drawn('javascript:alert(1)')).toBe('javascript:alert(1)')
  const number = '+393331234567'
  expect(await drawn(number, 'phone')).toEqual([
    'A',
    `tel:${number}`,
    'noopener noreferrer',
    number,
  ])
  expect(await drawn('javascript:alert(1)', 'phone')).toBe('javascript:alert(1)')
})

test('where the document is for tokens, the page asks for one; where it is nobody’s, it says so', async () => {
  const docs = (document: string) => ({
    'config/svc.ts': (text: string) =>
      text.replace("document: 'public'", `document: '${document}'`),
  })
  const closed = await servePages(docs('token'))
  try {
    const user = await closed.blog.user('Dora')
    const { page } = await openTab(browser, closed)
    await page.fill('#token', closed.blog.token(user))
    await page.press('#token', 'Enter')
    await expect.poll(() => page.textContent('#account')).toBe('Dora')
    expect((await openTab(browser, closed, { as: user })).page.url()).toBe(`${closed.origin}/docs`)
  } finally {
    await closed.close()
  }
  const off = await servePages(docs('off'))
  try {
    const { page } = await openTab(browser, off)
    expect(await page.textContent('main')).toContain('docs.document in config/svc.ts is ‘off’')
  } finally {
    await off.close()
  }
})

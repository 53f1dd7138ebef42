/** For `npm run test:long`: the trash on the page `/docs`, and its words where something is deleted. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../support/browser.js'
import { emitFixture, openFolder } from '../../support/project.js'
import { serveProject, type Pages } from '../graphql/serve-pages.js'
import { openTab, type Tab } from './tab.js'

/** Owners delete their posts for good; Ann alone brings hers back. */
const withRights = (policy: string) =>
  policy
    .replace('forceDelete: () => false', 'forceDelete: (user) => ({ owner_id: user?.id })')
    .replace('restore: (user) => ({', "restore: (user) => user?.name === 'Ann' && ({")

let browser: Browser
let pages: Pages
let ann: number
let ben: number

beforeAll(async () => {
  browser = await launchBrowser()
  const folder = await emitFixture('features/soft-deletes', 'sqlite', {
    'manifest/index.ts': (text) =>
      text
        .replace('import { belongsTo,', 'import { belongsTo, boolean,')
        .replace(
          'password: password()',
          'password: password(), is_admin: boolean().default(false)',
        ),
  })
  const file = join(folder, 'app/Policies/PostPolicy.ts')
  writeFileSync(file, withRights(readFileSync(file, 'utf8')))
  pages = await serveProject(await openFolder(folder, 'sqlite', 'development'))
  ann = await pages.blog.user('Ann')
  ben = await pages.blog.user('Ben')
})

afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

const post = (title: string, owner_id = ann) =>
  pages.blog.insert('posts', { title, slug: title, owner_id })

const throwAway = async (id: number, user = ann) => {
  const { status } = await pages.blog.request('DELETE', `/api/svc/posts/${id}`, { as: user })
  expect(status).toBe(204)
}

const statusOf = async (id: number, query = '') =>
  (await pages.blog.get(`/api/svc/posts/${id}${query}`, ann)).status

const open = (as = ann) => openTab(browser, pages, { as })
const heads = ({ page }: Tab) => page.locator('thead th').allTextContents()
const ids = ({ page }: Tab) => page.locator('tbody tr th').allTextContents()
const button = ({ page }: Tab, name: string) => page.getByRole('button', { name, exact: true })

async function confirmed({ page }: Tab, verb: string): Promise<string | null> {
  const dialog = page.getByRole('dialog')
  const text = await dialog.locator('p').textContent()
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  return text
}

test('a record that is deleted goes into the trash, and the page says so before', async () => {
  const id = await post('Lamp')
  const tab = await open()
  const { page, go, complaints } = tab
  await go('#/data/posts')
  expect(await heads(tab)).not.toContain('removed_at')
  await go(`#/data/posts/${id}`)
  await button(tab, 'Delete').click()
  expect(await confirmed(tab, 'Delete')).toBe(`Delete Post ${id}, ‘Lamp’? It goes into the trash.`)
  await expect.poll(() => page.textContent('h1')).toBe('posts')
  await expect.poll(() => ids(tab)).not.toContain(String(id))
  await button(tab, 'Trash').click()
  await expect.poll(() => ids(tab)).toContain(String(id))
  expect(await heads(tab)).toContain('removed_at')
  expect(await button(tab, 'Trash').getAttribute('aria-pressed')).toBe('true')
  expect(complaints).toEqual([])
})

test('a record comes back from the list of the trash, or from its own view', async () => {
  const [desk, chair] = [await post('Desk'), await post('Chair')]
  await throwAway(desk)
  await throwAway(chair)
  const tab = await open()
  const { page, go, complaints } = tab
  await go('#/data/posts?trashed=only')
  await button(tab, 'Restore Desk').click()
  await expect.poll(() => ids(tab)).not.toContain(String(desk))
  expect(await statusOf(desk)).toBe(200)
  await page.getByRole('link', { name: `${chair}: Chair` }).click()
  await expect.poll(() => page.textContent('h1')).toBe('Chair')
  expect(await button(tab, 'Edit').count()).toBe(0)
  await button(tab, 'Restore').click()
  await button(tab, 'Edit').waitFor()
  expect(page.url()).toMatch(new RegExp(`#/data/posts/${chair}$`))
  expect(await statusOf(chair)).toBe(200)
  expect(complaints).toEqual([])
})

test('a record is deleted for good where the policy allows it, after a warning', async () => {
  const [desk, chair] = [await post('Old desk'), await post('Old chair')]
  await throwAway(desk)
  await throwAway(chair)
  const tab = await open()
  const { page, go } = tab
  await go('#/data/posts?trashed=only')
  await button(tab, 'Delete for good Old desk').click()
  expect(await confirmed(tab, 'Delete for good')).toBe(
    `Delete Post ${desk}, ‘Old desk’, for good? It cannot be undone.`,
  )
  await expect.poll(() => ids(tab)).not.toContain(String(desk))
  expect(await statusOf(desk, '?trashed=only')).toBe(404)
  await go(`#/data/posts/${chair}?trashed=only`)
  await button(tab, 'Delete for good').click()
  await confirmed(tab, 'Delete for good')
  await expect.poll(() => page.url()).toMatch(/#\/data\/posts\?trashed=only$/)
  expect(await statusOf(chair, '?trashed=only')).toBe(404)
})

test('a user who may not bring records back sees no button for it', async () => {
  const id = await post('Stool', ben)
  await throwAway(id, ben)
  const tab = await open(ben)
  await tab.go('#/data/posts?trashed=only')
  expect(await ids(tab)).toEqual([String(id)])
  expect(await button(tab, 'Restore Stool').count()).toBe(0)
  expect(await button(tab, 'Delete for good Stool').count()).toBe(1)
  await tab.go(`#/data/posts/${id}?trashed=only`)
  expect(await button(tab, 'Restore').isDisabled()).toBe(true)
})

test('the trash below a record has its own switch', async () => {
  const id = await post('Shelf')
  await throwAway(id)
  const tab = await open()
  const { page, go, complaints } = tab
  await go(`#/data/users/${ann}`)
  const posts = page.locator('section', { has: page.locator('h2 >> text=posts') })
  await posts.getByRole('button', { name: 'Trash' }).click()
  await posts.getByRole('button', { name: 'Restore Shelf' }).click()
  await posts.getByRole('button', { name: 'Restore Shelf' }).waitFor({ state: 'detached' })
  expect(await statusOf(id)).toBe(200)
  expect(complaints).toEqual([])
})

test('Try says what becomes of a deleted record, and a repository without a trash keeps its warning', async () => {
  const tab = await open()
  const { page, go } = tab
  const warning = async (operation: string, values: Record<string, string>) => {
    await go(`#/try/${operation}?${new URLSearchParams(values).toString()}`)
    await button(tab, 'Send').click()
    const text = await page.getByRole('dialog').locator('p').textContent()
    await button(tab, 'Keep').click()
    return text
  }
  expect(await warning('deletePost', { id: '7' })).toContain('It goes into the trash.')
  const below = { id: '1', relatedId: '7' }
  expect(await warning('deletePostOfUser', below)).toContain('It goes into the trash.')
  expect(await warning('deleteTagOfPost', below)).toContain('It cannot be undone.')
  expect(await warning('forceDeletePost', { id: '7' })).toContain('It cannot be undone.')
})

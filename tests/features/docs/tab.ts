import type { Browser, Page } from 'playwright-core'
import type { Pages } from '../graphql/serve-pages.js'

export interface Tab {
  readonly page: Page
  /** What the browser complained of: errors, and what the policy of the page blocked. */
  readonly complaints: readonly string[]
  /** Requests to other servers. */
  readonly foreign: readonly string[]
  /** Shows a view of the page, and waits until it has nothing to load any more. */
  go(hash: string): Promise<void>
}

interface TabOptions {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Whose token the link has; without: nobody is signed in. */
  readonly as?: number
}

/** The page in a browser. */
export async function openTab(
  browser: Browser,
  { origin, blog }: Pages,
  { width = 1280, colorScheme = 'light', as }: TabOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // A refused request is an answer that the page shows.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) foreign.push(request.url())
  })
  const token = as === undefined ? '' : `#token=${encodeURIComponent(blog.token(as))}`
  await page.goto(`${origin}/docs${token}`)
  await page.waitForSelector('h1')
  const go = async (hash: string) => {
    await page.evaluate(`new Promise((resolve) => {
      const next = ${JSON.stringify(hash)}
      if (location.hash === next) return resolve()
      addEventListener('hashchange', () => resolve(), { once: true })
      location.hash = next
    })`)
    await page.waitForSelector('main h1')
    await page.waitForSelector('[aria-busy]', { state: 'detached' })
  }
  return { page, complaints, foreign, go }
}

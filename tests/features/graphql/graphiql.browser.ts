/** For `npm run test:long`: GraphiQL in a browser, working as it comes. */
import { expect, test } from 'vitest'
import { launchBrowser } from '../../support/browser.js'
import { servePages } from './serve-pages.js'

test('GraphiQL works, asks no other server for anything, and does nothing that its policy forbids', async () => {
  const browser = await launchBrowser()
  const { origin, close } = await servePages()
  try {
    const tab = await browser.newPage()
    const foreign: string[] = []
    const complaints: string[] = []
    tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    tab.on('pageerror', ({ message }) => complaints.push(message))
    tab.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) foreign.push(url)
    })
    const isSchema = async (text: Promise<string>) => (await text).includes('"__schema"')
    const schema = tab.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 200,
    )
    await tab.goto(`${origin}/graphql`)
    expect(await isSchema((await schema).text())).toBe(true)
    await tab.waitForSelector('.graphiql-execute-button')
    await tab.click('.graphiql-execute-button')
    await tab.waitForFunction(
      `document.querySelector('.result-window')?.textContent.includes('"Query"')`,
    )
    await tab.click('button[aria-label="Show Documentation Explorer"]')
    await tab.waitForSelector('.graphiql-doc-explorer')
    await tab.click('button[aria-label="Open settings dialog"]')
    await tab.click('[role=dialog] button:has-text("Dark")')
    await tab.waitForSelector('body.graphiql-dark')
    await tab.keyboard.press('Escape')
    await tab.waitForSelector('[role=dialog]', { state: 'detached' })
    await tab.click('.graphiql-query-editor .CodeMirror')
    await tab.keyboard.press('Control+A')
    await tab.keyboard.type('{ postL')
    await tab.waitForSelector('.CodeMirror-hints :text("postList")')
    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
    await close()
  }
})

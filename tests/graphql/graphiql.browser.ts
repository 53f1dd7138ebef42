/** For `npm run test:long`: GraphiQL in a browser, working as it comes. */
import { expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { servePages } from './serve-pages.js'

test('GraphiQL reads the schema and runs a query, and asks no other server for anything', async () => {
  const browser = await launchBrowser()
  const { origin, close } = await servePages()
  try {
    const tab = await browser.newPage()
    const foreign: string[] = []
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
    expect(foreign).toEqual([])
  } finally {
    await browser.close()
    await close()
  }
})

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium or Chrome of this machine; a machine without fails the test that asked. */
export function launchBrowser(): Promise<Browser> {
  const installed = [process.env['SVC_TEST_BROWSER'], ...onPath(), chromium.executablePath()]
  const executablePath = installed.find((path) => path !== undefined && existsSync(path))
  if (executablePath === undefined) {
    throw new Error(
      'There is no browser to test with. Install one (Debian, Ubuntu: `apt-get install chromium`;\n' +
        'elsewhere: `npx playwright-core install chromium`), or name one in SVC_TEST_BROWSER.',
    )
  }
  // As root, and in most containers, Chromium has no sandbox of its own.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

const onPath = () =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))

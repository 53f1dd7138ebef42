/** The runtime is copied into every server: it looks like what is emitted beside it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../runtime', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

test('every file of the runtime is formatted', async () => {
  expect(files.length).toBeGreaterThan(60)
  const wrong: string[] = []
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8')
    const { code } = await format(name, text, { semi: false, singleQuote: true, printWidth: 100 })
    if (code !== text) wrong.push(name)
  }
  expect(wrong).toEqual([])
})

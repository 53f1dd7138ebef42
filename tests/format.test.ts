/** The runtime is copied into every server: it looks like what is emitted beside it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { expect, test } from 'vitest'
import { look } from '../generator/source/tidy.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const runtime = join(root, 'runtime')
const files = readdirSync(runtime, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

test('npm run format gives our own files the look of emitted ones', () => {
  const config = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'))
  expect(config).toMatchObject({ ...look })
})

test('every file of the runtime is formatted', async () => {
  expect(files.length).toBeGreaterThan(60)
  const wrong: string[] = []
  for (const name of files) {
    const text = readFileSync(join(runtime, name), 'utf8')
    const { code } = await format(name, text, { ...look, sortImports: false })
    if (code !== text) wrong.push(name)
  }
  expect(wrong).toEqual([])
})

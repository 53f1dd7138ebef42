/** The README shows the example shop: its files, a request, a change and an explanation. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openExample } from '../core/cli/example.js'
import { build, checkout, svc } from '../core/cli/project.js'
import { blocks, filesOf } from '../support/pages.js'
import { exchangePage } from './project.js'
import { printed } from './questions.js'

const textOf = (language: string) =>
  blocks().find((block) => block.page === 'README.md' && block.language === language)?.text ?? ''

export async function tryReadme(): Promise<void> {
  build()
  for (const [path, text] of filesOf('README.md')) {
    const file = readFileSync(join(checkout, 'fixtures/shop', path), 'utf8')
    expect(text).toBe(`// ${path}\n${file}`)
  }
  const shop = await openExample('shop', 'sqlite')
  await exchangePage(shop, 'README.md', {})
  await tryQuestion(shop.folder)
  await tryChange(shop.folder)
}

async function tryQuestion(folder: string): Promise<void> {
  const [command = '', ...answer] = textOf('console').trimEnd().split('\n')
  const line = command.replace('$ npx --no svc ', '')
  expect(await printed(folder, line)).toBe(`${answer.join('\n')}\n`)
}

/** Adds the field to the manifest, generates, and looks for each line of the diff: it was not there before. */
async function tryChange(folder: string): Promise<void> {
  const files = textOf('diff')
    .split('+++ b/')
    .slice(1)
    .map((part) => part.trimEnd().split('\n'))
    .map(([path = '', ...lines]) => ({ path, lines: lines.map((line) => line.slice(1)) }))
  expect(files.length).toBeGreaterThan(3)
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const before = new Map(
    files.map(({ path }) => [path, path.endsWith('draft.sql') ? '' : read(path)] as const),
  )
  const [manifest] = files
  expect(manifest?.path).toBe('manifest/reviews.ts')
  const edited = read('manifest/reviews.ts')
    .replace('fields: {', `fields: {\n${manifest?.lines.join('\n')}\n`)
    .replace('textarea }', 'text, textarea }')
  writeFileSync(join(folder, 'manifest/reviews.ts'), edited)
  const { code, out, errors } = await svc(folder, 'generate', '--no-compile')
  expect(code, out + errors).toBe(0)
  for (const { path, lines } of files) {
    const after = read(path).split('\n')
    for (const line of lines) {
      expect(after, path).toContain(line)
      expect(before.get(path)?.split('\n')).not.toContain(line)
    }
  }
}

/** The pages of docs/full-text.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage } from './project.js'

export async function tryFullText(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/full-text.md')
  expect(typeCheck(folder)).toBe('')
  const pages = await openFolder(folder, name)
  onTestFinished(() => pages.close())
  for (const [title, body] of [
    ['A lamp for the red desk', 'With a shade.'],
    ['A broken lamp for the red desk', 'Its shade is gone.'],
    ['A desk', 'Red, with a lamp that has a shade.'],
  ]) {
    await pages.insert('articles', { title, body })
  }
  await exchangePage(pages, 'docs/full-text.md', {})
}

/** The pages of docs/filters.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryFilters(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/filters.md')
  expect(typeCheck(folder)).toBe('')
  const pages = await openFolder(folder, name)
  onTestFinished(() => pages.close())
  const ADA = await register(pages, 'Ada')
  await exchangePage(pages, 'docs/filters.md', { ADA })
}

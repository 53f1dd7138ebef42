/** The pages of docs/actions.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryActions(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/actions.md')
  expect(typeCheck(folder)).toBe('')
  const pages = await openFolder(folder, name)
  onTestFinished(() => pages.close())
  const ADA = await register(pages, 'Ada')
  await exchangePage(pages, 'docs/actions.md', { ADA })
}

/** The pages of docs/search.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function trySearch(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/search.md')
  expect(typeCheck(folder)).toBe('')
  const pages = await openFolder(folder, name)
  onTestFinished(() => pages.close())
  const ADA = await register(pages, 'Ada')
  const headers = { Authorization: `Bearer ${ADA}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ title: 'Letter to Ada' })
  const made = await pages.request('POST', '/api/svc/notes', { body, headers })
  expect(made.status).toBe(201)
  await exchangePage(pages, 'docs/search.md', { ADA })
}

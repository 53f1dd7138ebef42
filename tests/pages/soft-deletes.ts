/** The manifest of docs/soft-deletes.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages } from './project.js'

export async function trySoftDeletes(): Promise<void> {
  const folder = await emitPages('sqlite', 'docs/soft-deletes.md')
  expect(typeCheck(folder)).toBe('')
  const page = await openFolder(folder, 'sqlite')
  onTestFinished(() => page.close())
  // Without users, a policy that denies everybody asks guests to sign in, in the trash too.
  expect((await page.request('GET', '/api/svc/posts?trashed=only')).status).toBe(401)
}

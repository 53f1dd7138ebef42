/** The pages of docs/idempotency.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryIdempotency(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/idempotency.md')
  expect(typeCheck(folder)).toBe('')
  const orders = await openFolder(folder, name)
  onTestFinished(() => orders.close())
  const ADA = await register(orders, 'Ada')
  await exchangePage(orders, 'docs/idempotency.md', { ADA })
}

/** The ledger of docs/transactions.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryLedger(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/transactions.md')
  expect(typeCheck(folder)).toBe('')
  const ledger = await openFolder(folder, name)
  onTestFinished(() => ledger.close())
  const ADA = await register(ledger, 'Ada')
  await exchangePage(ledger, 'docs/transactions.md', { ADA })
}

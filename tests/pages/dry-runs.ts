/** The pages of docs/dry-runs.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryDryRuns(name: DatabaseName): Promise<void> {
  const folder = await emitPages(name, 'docs/dry-runs.md')
  expect(typeCheck(folder)).toBe('')
  const projects = await openFolder(folder, name)
  onTestFinished(() => projects.close())
  const ADA = await register(projects, 'Ada')
  await exchangePage(projects, 'docs/dry-runs.md', { ADA })
}

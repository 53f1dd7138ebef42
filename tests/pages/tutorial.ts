import { expect, onTestFinished } from 'vitest'
import { emptyFolder } from '../cli/project.js'
import { blocks } from '../support/pages.js'
import { openFolder, type Project } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { exchange } from './exchanges.js'
import { register, write } from './project.js'
import { runCommands } from './shell.js'

/** The tutorial, from its first command to its last. */
export async function tryTutorial(): Promise<void> {
  const folder = emptyFolder()
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  let served: Served | null = null
  for (const { page, at, language, path, text } of blocks()) {
    if (page !== 'docs/tutorial.md') continue
    if (language === 'sh') await runCommands(folder, text)
    else if (language === 'ts' && path !== null) write(folder, path, text, 'sqlite')
    else if (language === 'http') {
      served ??= await serve(folder)
      await exchange(served.project, text, served.words)
    } else throw new Error(`${at} is in no test`)
  }
  expect(typeCheck(folder)).toBe('')
}

interface Served {
  readonly project: Project
  readonly words: Readonly<Record<string, string>>
}

/** The library, with those of whom the page speaks. */
async function serve(folder: string): Promise<Served> {
  const project = await openFolder(folder, 'sqlite')
  onTestFinished(() => project.close())
  const ADA = await register(project, 'Ada')
  const BEN = await register(project, 'Ben')
  const CAY = await register(project, 'Cay')
  const sql = 'UPDATE users SET is_librarian = 1 WHERE id = 1'
  await project.database.query({ sql, access: 'write' }, [])
  return { project, words: { ADA, BEN, CAY } }
}

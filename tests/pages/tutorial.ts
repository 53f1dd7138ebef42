import { expect, onTestFinished } from 'vitest'
import { emptyFolder, svc } from '../core/cli/project.js'
import { run } from '../core/compile/run.js'
import { blocks } from '../support/pages.js'
import { openFolder, type Project } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { exchange } from './exchanges.js'
import { write } from './project.js'
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

/** The library, with those of whom the page speaks: its seed makes them, and says their tokens. */
async function serve(folder: string): Promise<Served> {
  const project = await openFolder(folder, 'sqlite')
  onTestFinished(() => project.close())
  delete process.env['SVC_SKIP_PRISMA_CLIENT']
  const client = await svc(folder, 'generate', '--no-compile', '--client')
  expect(client.code, client.out + client.errors).toBe(0)
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  const seed = await run('tsx', ['prisma/seed.ts'], folder)
  expect(seed.code, seed.output).toBe(0)
  const lines = [...seed.output.matchAll(/^([A-Z]+)='(\d+\|\w+)'$/gm)]
  return { project, words: Object.fromEntries(lines.map(([, name, token]) => [name, token])) }
}

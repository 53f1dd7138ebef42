/** A project of what pages show. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { DatabaseName } from '../support/databases.js'
import { generateInto } from '../support/generate.js'
import { blocks, filesOf } from '../support/pages.js'
import { linkModules, type Project } from '../support/project.js'
import { exchange } from './exchanges.js'

/** What the blocks of these pages make, generated. */
export async function emitPages(name: DatabaseName, ...of: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'))
  for (const [path, text] of filesOf(...of)) write(folder, path, text, name)
  await linkModules(folder)
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  await generateInto(folder)
  return folder
}

export function write(folder: string, path: string, text: string, name: DatabaseName): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text.replace("database: 'sqlite'", `database: '${name}'`))
}

/** Makes the requests of a page, in their order. */
export async function exchangePage(
  project: Project,
  page: string,
  words: Readonly<Record<string, string>>,
): Promise<void> {
  const shown = blocks().filter((block) => block.page === page && block.language === 'http')
  expect(shown.length).toBeGreaterThan(0)
  for (const { text } of shown) await exchange(project, text, words)
}

/** Registers somebody, as people do, and gives their token. */
export async function register(project: Project, name: string): Promise<string> {
  const email = `${name.toLowerCase()}@example.com`
  const password = 'a long password'
  const form = { name, email, password, password_confirmation: password }
  const { status, body } = await project.post('/api/register', form)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.meta.token
}

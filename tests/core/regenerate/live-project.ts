/** A project of its own for each test, whose database is asked through its own `app/database.ts`. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect } from 'vitest'
import type { DatabaseName } from '../../support/databases.js'
import { manifestText } from '../../support/own-manifest.js'
import { freshDatabase } from '../../support/postgres.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { linkDependencies, newProject, svc } from '../cli/project.js'
import { fill } from '../write/folder.js'

export function liveProject(name: DatabaseName) {
  scriptsShareAProcess()
  let root = ''
  let open: { close(): Promise<void> } | null = null
  const before = { ...process.env }

  beforeEach(async () => {
    root = await newProject('--database', name)
    linkDependencies(root)
    process.env['DATABASE_URL'] =
      name === 'sqlite' ? `file:${join(root, 'storage/test.sqlite')}` : await freshDatabase()
    process.env['NODE_ENV'] = 'development'
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  })
  afterEach(async () => {
    process.env = before
    await open?.close()
    open = null
  })

  const run = (...line: string[]) => svc(root, ...line)
  /** Returns the output. */
  const ok = async (...line: string[]): Promise<string> => {
    const { code, out, errors } = await run(...line)
    expect(code, out + errors).toBe(0)
    return out + errors
  }
  /** The module stays, and so does its connection. */
  const asked = async (sql: string): Promise<unknown[][]> => {
    const { database } = await import(pathToFileURL(join(root, 'app/database.ts')).href)
    open = database
    return database.query({ sql, access: 'write' }, [])
  }
  const manifest = (repositories: string, options = '') =>
    fill(root, { 'manifest/index.ts': manifestText(repositories, name, options) })
  return { path: (file: string) => join(root, file), run, ok, asked, manifest }
}

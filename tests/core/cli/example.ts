/** The examples of `svc new`, each with the rows of its seed. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { copyOfDatabase, keepDatabase } from '../../support/postgres.js'
import {
  fileIn,
  openFolder,
  openOn,
  type Answer,
  type DatabaseName,
  type Project,
} from '../../support/project.js'
import { whenOver } from '../../support/when-over.js'
import { run } from '../compile/run.js'
import { checkout, emptyFolder, svc } from './project.js'

export type Example = 'shop' | 'team'

/** Makes an example with `svc new`. */
export async function makeExample(example: Example, database: DatabaseName): Promise<string> {
  const root = join(emptyFolder(), example)
  const { code, out, errors } = await svc(
    join(root, '..'),
    ...['new', example, '--example', example, '--database', database],
  )
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(out).toContain('sign in as ada@example.com with the password')
  expect((await svc(root, 'migrate', 'save', 'init')).code).toBe(0)
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'), 'junction')
  return root
}

interface Seeded {
  readonly root: string
  readonly url: string
}

/** By example and database: its folder and the rows of its seed, which are made once in a process. */
const seeded = new Map<string, Promise<Seeded>>()
const kept = mkdtempSync(join(tmpdir(), 'svc-seeded-'))
process.once('exit', () => rmSync(kept, { recursive: true, force: true }))

async function seed(example: Example, database: DatabaseName): Promise<Seeded> {
  // Its seed needs Prisma's client, which a test before may have left out.
  delete process.env['SVC_SKIP_PRISMA_CLIENT']
  const root = join(kept, database, example)
  await cp(await makeExample(example, database), root, copying)
  const project = await openFolder(root, database)
  const url = process.env['DATABASE_URL'] ?? ''
  const { code, output } = await run('tsx', ['prisma/seed.ts'], root)
  expect(code, output).toBe(0)
  await project.database.close()
  if (database === 'postgresql') keepDatabase(url)
  return { root, url }
}

const copying = { recursive: true, verbatimSymlinks: true }

/** Its server, with the rows of its seed. */
export async function openExample(example: Example, database: DatabaseName): Promise<Project> {
  const key = `${example} ${database}`
  const made = seeded.get(key) ?? seed(example, database)
  seeded.set(key, made)
  const { root: from, url } = await made
  const root = join(emptyFolder(), example)
  await cp(from, root, copying)
  process.env['MAIL_LOG'] = join(root, 'storage/logs/mail.log')
  const own = database === 'sqlite' ? fileIn(root) : await copyOfDatabase(url)
  const project = await openOn(own, root, database)
  whenOver(() => project.close())
  return project
}

export type Ask = (method: string, path: string, body?: object) => Promise<Answer>

export async function signIn(project: Project, name: string): Promise<Ask> {
  const form = { email: `${name}@example.com`, password: 'password' }
  const { body } = await project.post('/api/login', form)
  const headers = {
    authorization: `Bearer ${body.meta.token}`,
    'content-type': 'application/json',
  }
  return (method, path, sent) =>
    project.request(method, path === '/graphql' ? path : `/api${path}`, {
      headers,
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    })
}

/** The examples of `svc new`, each with the rows of its seed. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openFolder, type Answer, type DatabaseName, type Project } from '../../support/project.js'
import { run } from '../compile/run.js'
import { checkout, emptyFolder, svc } from './project.js'

export type Example = 'shop' | 'team'

/** What `svc new` makes of it. */
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

/** Its server, with the rows of its seed. */
export async function openExample(example: Example, database: DatabaseName): Promise<Project> {
  // Its seed needs Prisma's client, which a test before may have left out.
  delete process.env['SVC_SKIP_PRISMA_CLIENT']
  const root = await makeExample(example, database)
  process.env['MAIL_LOG'] = join(root, 'storage/logs/mail.log')
  const project = await openFolder(root, database)
  onTestFinished(() => project.close())
  const seed = await run('tsx', ['prisma/seed.ts'], project.folder)
  expect(seed.code, seed.output).toBe(0)
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

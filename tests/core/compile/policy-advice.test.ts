import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { typeCheck } from '../../support/type-check.js'
import { linkDependencies, newProject, svc } from '../cli/project.js'
import { fill } from '../write/folder.js'

test.each([
  ['the password alone', '', 'the `password` of others'],
  [
    'a flag of administrators',
    'is_admin: boolean().default(false),',
    '`is_admin` or the `password` of others',
  ],
  [
    'the moment of verifying',
    'email_verified_at: dateTime().nullable(),',
    '`email_verified_at` or the `password` of others',
  ],
])(
  'the gate that a policy of users advises compiles where they have %s',
  async (_, field, fields) => {
    vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1')
    const root = await newProject()
    linkDependencies(root)
    const users = readFileSync(join(root, 'manifest/users.ts'), 'utf8')
    fill(root, {
      'manifest/users.ts': users
        .replace('fields: {', `fields: { ${field}`)
        .replace('import {', 'import { boolean, dateTime,'),
    })
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
    const path = 'app/Policies/UserPolicy.ts'
    const policy = readFileSync(join(root, path), 'utf8')
    expect(policy).toContain(` * write ${fields}: without a gate`)
    const [, advised = ''] = /\* Write `(canUpdate: .*)` to let/.exec(policy) ?? []
    fill(root, { [path]: policy.replace(/\n\}\n$/, `\n  ${advised},\n}\n`) })
    expect(typeCheck(root)).toBe('')
  },
)

import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newProject, svc } from '../../core/cli/project.js'

beforeAll(() => void (process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'))

/** A project of `svc new`, without anything that only works while people sign in. */
async function unfilled(): Promise<string> {
  const folder = await newProject()
  edit(folder, 'manifest/posts.ts', (text) => text.replace(", { filledBy: 'user' }", ''))
  expect((await svc(folder, 'generate')).code).toBe(0)
  return folder
}

function edit(folder: string, path: string, change: (text: string) => string): void {
  const before = readFileSync(join(folder, path), 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(join(folder, path), after)
}

function texts(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'utf8')]))
}

const unnamed = (text: string) => text.replace(/ *user_model: 'users',\n/, '')

describe('a project in which people sign in', () => {
  test.each<[string, (folder: string) => void]>([
    ['as it was made', () => {}],
    ['whose config names nobody', (folder) => edit(folder, 'config/svc.ts', unnamed)],
    ['whose config is lost', (folder) => rmSync(join(folder, 'config/svc.ts'))],
  ])('%s keeps its guard when users lose a field of signing in', async (_, prepare) => {
    const folder = await unfilled()
    prepare(folder)
    for (const [field, missing] of [
      ['password: password()', 'passwd: password()'],
      ['email: email().unique()', 'email: text().unique()'],
    ] as const) {
      edit(folder, 'manifest/users.ts', (text) => text.replace(field, missing))
      const before = texts(folder)
      const { code, out, errors } = await svc(folder, 'generate')
      expect(code).toBe(1)
      expect(out + errors).toContain(`to sign in with`)
      expect(texts(folder)).toEqual(before)
      edit(folder, 'manifest/users.ts', (text) => text.replace(missing, field))
    }
  })

  test('loses it when the config says null, with a warning of what that opens', async () => {
    const folder = await unfilled()
    edit(folder, 'config/svc.ts', (text) => text.replace("user_model: 'users'", 'user_model: null'))
    const warned = 'with this there is no auth repository any more'
    expect((await svc(folder, 'generate', '--dry-run')).out).toContain(warned)
    const { code, out } = await svc(folder, 'generate')
    expect(code, out).toBe(0)
    expect(out).toContain(warned)
    expect(readFileSync(join(folder, 'routes/api.ts'), 'utf8')).not.toContain('svcAuth')
    const config = readFileSync(join(folder, 'config/svc.ts'), 'utf8')
    expect(config).toContain('    user_model: null,\n    /** Minutes until a token expires')
    expect(config).toContain("middleware: ['api'],")
    expect((await svc(folder, 'generate')).out).not.toContain(warned)
  })
})

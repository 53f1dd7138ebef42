import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyFolder, newProject, svc } from '../../core/cli/project.js'

let root: string
const file = (path: string) => join(root, path)
const read = (path: string) => readFileSync(file(path), 'utf8')
const write = (path: string, text: string) => writeFileSync(file(path), text)
const edit = (path: string, from: string, to: string) => {
  expect(read(path)).toContain(from)
  write(path, read(path).replace(from, to))
}
/** The project lies beside what uses it. */
const project = () => join(root, 'server')
const run = (...line: readonly string[]) => svc(project(), ...line)
const modules = () => readdirSync(file('web/src/api')).toSorted()

beforeEach(async () => {
  root = emptyFolder()
  const made = await newProject()
  cpSync(made, project(), { recursive: true })
})

describe('svc client', () => {
  test('writes a client beside the project, and nothing of the project', async () => {
    const before = read('server/svc.lock.json')
    const { code, out } = await run('client', '../web/src/api')
    expect({ code, out: out.split('\n')[0] }).toEqual({ code: 0, out: 'Done: 5 created.' })
    expect(out).toContain("client: '../web/src/api'")
    expect(modules()).toEqual(['auth.ts', 'client.ts', 'posts.ts', 'types.ts', 'users.ts'])
    expect(read('server/svc.lock.json')).toBe(before)
    expect((await run('generate', '--check', '--no-compile')).code).toBe(0)
    expect((await run('client', join(root, 'web/src/api'))).out).toMatch(/^Done: 5 unchanged\.\n/)
    expect((await run('undo', '--yes')).code).toBe(0)
    expect(existsSync(file('web'))).toBe(false)
  })

  test('adds and takes away what is asked for besides, and overwrites edits', async () => {
    await run('client', '../web/src/api', '--query', 'tanstack', '--zod')
    expect(modules()).toEqual([
      ...[
        'auth.ts',
        'client.ts',
        'posts.queries.ts',
        'posts.rules.ts',
        'posts.ts',
        'rules',
        'types.ts',
      ],
      ...['users.queries.ts', 'users.rules.ts', 'users.ts'],
    ])
    const text = read('web/src/api/posts.ts')
    write('web/src/api/posts.ts', text.replace('title', 'titel'))
    write('web/src/api/users.ts', read('web/src/api/users.ts').replaceAll('\n', '\r\n'))
    write('web/src/api/own.ts', '// mine\n')
    const { out } = await run('client', '../web/src/api')
    expect(out).toMatch(/^Done: 1 updated, \d+ removed, 4 unchanged\.\n/)
    expect(read('web/src/api/posts.ts')).toBe(text)
    expect(modules()).toEqual([
      'auth.ts',
      'client.ts',
      'own.ts',
      'posts.ts',
      'types.ts',
      'users.ts',
    ])
  })

  test('replaces no file that svc did not write', async () => {
    mkdirSync(file('web/src/api'), { recursive: true })
    write('web/src/api/posts.ts', 'export const mine = true\n')
    const { code, errors } = await run('client', '../web/src/api')
    expect({ code, errors }).toEqual({
      code: 1,
      errors: `The client would replace files that svc did not write:
  ../web/src/api/posts.ts
Nothing was written. Move them away, or give the client a folder of its own.
`,
    })
    expect(modules()).toEqual(['posts.ts'])
    expect(read('web/src/api/posts.ts')).toBe('export const mine = true\n')
  })

  test('says where it does not write, which queries there are, and what is wrong with a manifest', async () => {
    const places = {
      '.': 'which is the project itself, or holds it',
      '..': 'which is the project itself, or holds it',
      'runtime/client': "and 'runtime' is for other files",
    }
    for (const [folder, why] of Object.entries(places)) {
      const { code, errors } = await run('client', folder)
      const expected = `The client cannot be written to '${folder}', ${why}.\n`
      expect({ code, errors }).toEqual({ code: 1, errors: expected })
    }
    edit('server/manifest/posts.ts', "title: 'title'", "title: 'titel'")
    const { code, out } = await run('client', '../web/src/api')
    expect([code, out.includes("'titel'"), existsSync(file('web'))]).toEqual([1, true, false])
    const { errors } = await run('client', '../web/src/api', '--query', 'swr')
    expect(errors).toContain('--query takes one value: tanstack.')
  })
})

describe('a client that the manifest names', () => {
  beforeEach(async () => {
    edit(
      'server/manifest/index.ts',
      'defineManifest({',
      "defineManifest({ client: '../web/src/api',",
    )
    expect((await run('generate', '--no-compile')).code).toBe(0)
  })

  test('is kept in step by svc generate, which says before what it would do', async () => {
    expect(modules()).toEqual(['auth.ts', 'client.ts', 'posts.ts', 'types.ts', 'users.ts'])
    expect((await run('generate', '--check', '--no-compile')).code).toBe(0)
    rmSync(file('web/src/api/users.ts'))
    edit('server/manifest/posts.ts', 'title: text()', 'subtitle: text().nullable(), title: text()')
    const rehearsal = await run('generate', '--dry-run', '--no-compile')
    expect(rehearsal.out).toMatch(/update +\.\.\/web\/src\/api\/posts\.ts/)
    expect(read('web/src/api/posts.ts')).not.toContain('subtitle')
    expect((await run('generate', '--check', '--no-compile')).code).toBe(2)
    await run('generate', '--no-compile')
    expect(read('web/src/api/posts.ts')).toContain('  subtitle: string | null\n')
    expect(modules()).toContain('users.ts')
    await run('undo', '--yes')
    expect(read('web/src/api/posts.ts')).not.toContain('subtitle')
  })

  test('stops a run whose other files would have been written, where a file is not of svc', async () => {
    write('web/src/api/client.ts', '// mine now\n')
    edit('server/manifest/posts.ts', 'title: text()', 'subtitle: text().nullable(), title: text()')
    for (const option of ['--dry-run', '--no-compile']) {
      const { code, errors } = await run('generate', option)
      expect([code, errors.includes('  ../web/src/api/client.ts\n')]).toEqual([1, true])
    }
    expect(read('server/app/Models.ts')).not.toContain('subtitle')
  })

  test('knows what policies hide, and loses the module of a repository that is gone', async () => {
    edit(
      'server/app/Policies/PostPolicy.ts',
      'store: ',
      'canSee: { body: (user) => user !== null },\n  store: ',
    )
    await run('generate', '--no-compile')
    expect(read('web/src/api/posts.ts')).toMatch(/^ {2}body\?: string$/m)
    const gate = 'body: (user) => user !== null'
    edit('server/app/Policies/PostPolicy.ts', gate, 'body: (user) => ({ id: user?.id })')
    await run('generate', '--no-compile')
    expect(read('web/src/api/posts.ts')).toMatch(/^ {2}body\?: string \| null$/m)
    edit('server/manifest/index.ts', 'users, posts', 'users')
    edit('server/manifest/index.ts', "import { posts } from './posts.js'", '')
    edit('server/manifest/users.ts', 'posts: hasMany(),', '')
    rmSync(file('server/manifest/posts.ts'))
    write('web/src/api/own.ts', '// mine\n')
    const { out } = await run('generate', '--no-compile')
    expect(out).toMatch(/remove +\.\.\/web\/src\/api\/posts\.ts/)
    expect(modules()).toEqual(['auth.ts', 'client.ts', 'own.ts', 'types.ts', 'users.ts'])
  })
})

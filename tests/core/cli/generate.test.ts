import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportFailure } from '../../../generator/commands/failure.js'
import { fill, textsOf } from '../write/folder.js'
import { emptyFolder, newProject, savedProject, svc } from './project.js'

let root = ''

beforeAll(() => vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1'))

beforeEach(async () => {
  root = await newProject()
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const replace = (path: string, from: string | RegExp, to: string) =>
  fill(root, { [path]: read(path).replace(from, to) })

/** Returns what `svc generate` writes to app/Models.ts when the manifest gets this. */
const addField = () =>
  replace(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    subtitle: text().nullable(),',
  )

describe('svc generate', () => {
  test('has nothing to do the second time', async () => {
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate', '--json')
    expect(code).toBe(0)
    const statuses = JSON.parse(out).files.map((file: { status: string }) => file.status)
    expect(new Set(statuses)).toEqual(new Set(['same']))
    expect(JSON.parse(out)).toMatchObject({ pending: false, blocked: false, problems: [] })
    expect(textsOf(root)).toEqual(before)
  })
  test('names the policies that still refuse everyone, and how to open them', async () => {
    const { out } = await svc(root, 'generate')
    expect(out).toContain(
      '2 policies still deny everyone, so clients see empty lists: PostPolicy, UserPolicy.',
    )
    expect(out).toContain('Open app/Policies/PostPolicy.ts and let `show` answer')
    for (const name of ['Post', 'User']) {
      replace(`app/Policies/${name}Policy.ts`, 'show: () => false', 'show: (user) => user !== null')
    }
    expect((await svc(root, 'generate')).out).not.toContain('refuse everyone')
  })

  test('says what it did, and leaves what was edited', async () => {
    root = await savedProject()
    replace('app/Models.ts', '/** A row of `users`', '// My own line.\n/** A row of `users`')
    addField()
    const { code, out } = await svc(root, 'generate')
    expect(code).toBe(0)
    expect(out).toContain('  merge     app/Models.ts\n')
    expect(out).toContain('  update    app/Repositories/PostRepository.ts\n')
    expect(out).toContain('  create    prisma/migrations/draft.sql\n')
    expect(read('app/Models.ts')).toContain('// My own line.')
    expect(read('app/Models.ts')).toContain('subtitle: string | null')
  })

  test('prints all problems, exits with 1 and writes nothing', async () => {
    replace('manifest/posts.ts', "title: 'title'", "title: 'titel'")
    replace('manifest/posts.ts', "belongsTo('users'", "belongsTo('people'")
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate')
    expect(code).toBe(1)
    expect(out.match(/^manifest\/posts\.ts:\d+:\d+ {2}/gm)).toHaveLength(2)
    expect(textsOf(root)).toEqual(before)
    expect(JSON.parse((await svc(root, 'generate', '--json')).out).problems).toHaveLength(2)
  })

  test('without a manifest says how to begin', async () => {
    const { code, out } = await svc(emptyFolder(), 'generate')
    expect(code).toBe(1)
    expect(out).toContain('defineManifest')
  })

  test('from a bare manifest folder emits the whole project', async () => {
    const bare = emptyFolder()
    const manifest = Object.entries(textsOf(root)).filter(([path]) => path.startsWith('manifest/'))
    fill(bare, Object.fromEntries(manifest))
    expect((await svc(bare, 'generate')).code).toBe(0)
    expect(Object.keys(textsOf(bare))).toEqual(Object.keys(textsOf(root)))
  })
})

describe('looking before writing', () => {
  test('--dry-run says what would be done', async () => {
    addField()
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate', '--dry-run')
    expect(code).toBe(0)
    expect(out).toMatch(/^Nothing written: .* updated/)
    expect(out).toContain('  update    app/Models.ts\n')
    expect(textsOf(root)).toEqual(before)
  })

  test('--check exits with 0 when all is generated, and with 2 when not', async () => {
    expect((await svc(root, 'generate', '--check')).code).toBe(0)
    addField()
    const before = textsOf(root)
    expect((await svc(root, 'generate', '--check')).code).toBe(2)
    expect(textsOf(root)).toEqual(before)
  })

  test('svc diff shows the lines, those of the developer, and those of svc', async () => {
    replace('app/Models.ts', '/** A row of `users`', '// My own line.\n/** A row of `users`')
    expect((await svc(root, 'diff')).out).toBe('No differences.\n')
    expect((await svc(root, 'diff', '--mine')).out).toContain('\n+// My own line.\n')
    expect((await svc(root, 'diff', '--upstream', 'app/')).out).toContain('\n-// My own line.\n')
    expect((await svc(root, 'diff', '--mine', 'config')).out).toBe('No differences.\n')
    addField()
    const { out } = await svc(root, 'diff', './app/Models.ts')
    expect(out).toContain('--- a/app/Models.ts\n+++ b/app/Models.ts\n@@ ')
    expect(out).toContain('\n+  subtitle: string | null\n')
    expect((await svc(root, 'diff', '--mine', '--upstream')).code).toBe(1)
  })
})

describe('a conflict', () => {
  const beside = 'app/Models.ts.svc-new'

  beforeEach(() => {
    replace('app/Models.ts', '  body: string\n', '  body: string // mine\n')
    replace('manifest/posts.ts', 'body: textarea()', 'body: textarea().nullable()')
  })

  test('stops the run, and puts the text of svc beside the file', async () => {
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate')
    expect(code).toBe(3)
    expect(out).toContain(`  conflict  app/Models.ts  (see ${beside})\n`)
    expect(read(beside)).toContain('  body: string | null\n')
    expect(textsOf(root)).toEqual({ ...before, [beside]: read(beside) })
  })

  test('is reported by --check, which writes nothing', async () => {
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate', '--check')
    expect(code).toBe(3)
    expect(out).toContain('  conflict  app/Models.ts  (`svc diff app/Models.ts` shows both)\n')
    expect(textsOf(root)).toEqual(before)
  })

  test.each([
    ['ours', 0, '  body: string // mine\n'],
    ['theirs', 0, '  body: string | null\n'],
    [
      'markers',
      3,
      '<<<<<<< yours\n  body: string // mine\n=======\n  body: string | null\n>>>>>>> svc\n',
    ],
  ])('is settled by --conflicts=%s', async (settle, code, expected) => {
    await svc(root, 'generate')
    expect((await svc(root, 'generate', `--conflicts=${settle}`)).code).toBe(code)
    expect(read('app/Models.ts')).toContain(expected)
    expect(Object.keys(textsOf(root))).not.toContain(beside)
    expect((await svc(root, 'generate')).code).toBe(code)
  })

  test('is open again after svc undo, with the text of svc beside the file', async () => {
    await svc(root, 'generate')
    const open = textsOf(root)
    expect((await svc(root, 'generate', '--conflicts=ours')).code).toBe(0)
    expect((await svc(root, 'undo')).code).toBe(0)
    expect(textsOf(root)).toEqual(open)
    expect((await svc(root, 'generate')).code).toBe(3)
    expect(textsOf(root)).toEqual(open)
    // Where the manifest goes back too, nobody needs it.
    replace('manifest/posts.ts', 'body: textarea().nullable()', 'body: textarea()')
    expect((await svc(root, 'generate')).code).toBe(0)
    expect(Object.keys(textsOf(root))).not.toContain(beside)
  })

  test('settled for svc names what gave way, and svc undo brings it back', async () => {
    const { out } = await svc(root, 'generate', '--conflicts=theirs')
    expect(out).toContain(
      '  merge     app/Models.ts  (your disputed lines were replaced; `svc undo` brings them back)\n',
    )
    await svc(root, 'undo')
    expect(read('app/Models.ts')).toContain('  body: string // mine\n')
  })

  test('with its markers still there says how to go on', async () => {
    await svc(root, 'generate', '--conflicts=markers')
    const { code, out } = await svc(root, 'generate')
    expect(code).toBe(3)
    expect(out).toContain('Take the markers out and run `svc generate`')
    expect(out).not.toContain('You and svc changed the same lines.')
    expect((await svc(root, 'generate', '--conflicts=ours')).code).toBe(0)
    expect(read('app/Models.ts')).toContain('  body: string // mine\n')
    expect(read('app/Models.ts')).not.toContain('<<<<<<<')
    expect((await svc(root, 'generate', '--check')).code).toBe(0)
  })

  test('in the schema waits with its markers, and so do the migrations', async () => {
    await svc(root, 'generate', '--conflicts=ours')
    const schema = 'prisma/schema/svc.prisma'
    replace(schema, /( +title +String)/, '$1 // mine')
    replace('manifest/posts.ts', 'title: text()', "title: text().default('none')")
    const draft = textsOf(root)['prisma/migrations/draft.sql']
    const { code, out } = await svc(root, 'generate', '--conflicts=markers')
    expect(code).toBe(3)
    expect(out).toContain('it waits until the markers in prisma/schema are gone')
    expect(read(schema)).toContain('<<<<<<< yours\n')
    expect(textsOf(root)['prisma/migrations/draft.sql']).toBe(draft)
    expect((await svc(root, 'generate', '--conflicts=theirs')).code).toBe(0)
    expect(read('prisma/migrations/draft.sql')).toContain("DEFAULT 'none'")
  })

  test('is settled by --force, which names the file, and svc undo brings the edit back', async () => {
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate', '--force')
    expect(code).toBe(0)
    expect(out).toContain(
      '  update    app/Models.ts  (your edits were replaced; `svc undo` brings them back)\n',
    )
    expect(read('app/Models.ts')).not.toContain('// mine')
    expect((await svc(root, 'undo')).out).toMatch(
      /^Restored \d+ files:\n(  .+\n)*  app\/Models\.ts\n/,
    )
    expect(textsOf(root)).toEqual(before)
  })
})

test('a deleted file stays deleted until it is adopted, or --force', async () => {
  rmSync(join(root, 'Dockerfile'))
  expect((await svc(root, 'generate')).out).toContain(
    '  deleted   Dockerfile  (you deleted it; `svc adopt Dockerfile` brings it back)\n',
  )
  expect(Object.keys(textsOf(root))).not.toContain('Dockerfile')
  await svc(root, 'adopt', 'Dockerfile')
  expect(Object.keys(textsOf(root))).toContain('Dockerfile')
  rmSync(join(root, 'Dockerfile'))
  await svc(root, 'generate', '--force')
  expect(Object.keys(textsOf(root))).toContain('Dockerfile')
})

test('a mistake in own.prisma is a problem with its line, and nothing is written', async () => {
  fill(root, {
    'prisma/schema/own.prisma': `${read('prisma/schema/own.prisma')}\nmodel Broken {\n  id Strin\n}\n`,
  })
  const before = textsOf(root)
  const { code, out } = await svc(root, 'generate')
  expect(code).toBe(1)
  expect(out).toMatch(/^prisma\/schema\/own\.prisma:\d+:1 {2}/)
  expect(textsOf(root)).toEqual(before)
})
test('an unexpected failure says that it is a bug, with its stack, and exits with 70', async () => {
  const lines: string[] = []
  const stderr = { write: (line: string) => lines.push(line) }
  // Only these are asked here.
  const code = reportFailure(new TypeError('no such thing'), {} as never, { stderr } as never)
  expect(code).toBe(70)
  expect(lines.join('')).toMatch(
    /^This is a bug in svc 10\.0\.0, not in your project\.[^]*TypeError: no such thing\n {4}at /,
  )
})

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { Loaded } from '../../../generator/load/load-manifest.js'
import type { Path } from '../../../generator/load/position.js'
import { timeoutOf } from '../../../generator/load/thrown.js'
import { loadManifest } from '../../support/with-features.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-load-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function project(files: Readonly<Record<string, string>>): string {
  const root = join(folder, String(count++))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

async function load(root: string): Promise<Loaded> {
  const loaded = await loadManifest(root)
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded
}

const single = `import { defineManifest, repository, text } from 'svckit'
const posts = repository({ fields: { title: text() } })
export default defineManifest({ database: 'sqlite', repositories: { posts } })
`

const index = `import { defineManifest } from 'svckit'
import { posts } from './posts.js'
export default defineManifest({ database: 'sqlite', repositories: { posts } })
`
const post = (more: string) => `import { repository, text } from 'svckit'
export const posts = repository({ fields: { title: text(), ...${more} } })
`

describe('loading a manifest', () => {
  test('finds a folder, and the file of each repository', async () => {
    const { sources, manifest } = await load(
      fileURLToPath(new URL('../../../fixtures/blog', import.meta.url)),
    )
    expect(sources.entry).toBe('manifest/index.ts')
    expect(sources.repositories.get('posts')).toBe('manifest/posts.ts')
    expect(Object.keys(manifest.repositories).slice(0, 2)).toEqual(['users', 'companies'])
    expect(sources.files).toContain('manifest/tags.ts')
  })

  test('finds a single file', async () => {
    const { sources } = await load(project({ 'manifest.ts': single }))
    expect(sources.repositories.get('posts')).toBe('manifest.ts')
  })

  test.each([
    ['{\n  a: number\n  b: string\n}', '{ a: number; b: string }'],
    ['{ // First.\n  a: number /* in\n metres */\n  b?: string[] }', '{ a: number; b?: string[] }'],
    [
      '{\n  a:\n    | "x  y"\n    | null\n  b: Map<\n    string,\n    number\n  >\n}',
      '{ a: | "x  y" | null; b: Map< string, number > }',
    ],
    [
      '{\n  a: { c: 1 }\n  b(x: number): void;\n  [key: string]: unknown\n}',
      '{ a: { c: 1 }; b(x: number): void; [key: string]: unknown }',
    ],
    [
      '{ a: number,\n b: (\n x: number\n) => string\n}[]',
      '{ a: number, b: ( x: number ) => string }[]',
    ],
  ])('reads the type of a computed entry over several lines: %j', async (written, answer) => {
    const text = `import { computed, defineManifest, repository, text } from 'svckit'
const posts = repository({ fields: { title: text() }, related: { sum: computed<${written}>() } })
export default defineManifest({ database: 'sqlite', repositories: { posts } })
`
    const { manifest } = await load(project({ 'manifest.ts': text }))
    expect(manifest.repositories['posts']?.definition.related?.['sum']).toMatchObject({ answer })
  })

  test('twice gives equal values', async () => {
    const root = project({ 'manifest.ts': single })
    expect((await load(root)).manifest).toEqual((await load(root)).manifest)
  })

  test('reads it afresh, and leaves nothing behind', async () => {
    const root = project({ 'manifest.ts': single })
    await load(root)
    writeFileSync(join(root, 'manifest.ts'), single.replace('sqlite', 'postgresql'))
    expect((await load(root)).manifest.database).toBe('postgresql')
    expect(readdirSync(root)).toEqual(['manifest.ts'])
  })

  test('minds neither a broken tsconfig nor a missing package', async () => {
    const root = project({ 'manifest.ts': single, 'tsconfig.json': '{ broken' })
    expect(Object.keys((await load(root)).manifest.repositories)).toEqual(['posts'])
  })

  test('sees what a mutable default export would hide', async () => {
    const root = project({ 'manifest.ts': 'export default null\n' })
    expect(await loadManifest(root)).toMatchObject({ problems: [{ rule: 'no-default-export' }] })
  })

  test.each([
    ['its own file', { 'manifest/posts.ts': post('common') + 'const common = { word: text() }\n' }],
    [
      'a file that imports it',
      {
        'manifest/posts.ts': `import { common } from './users.js'\n${post('common')}export const named = { word: text() }\n`,
        'manifest/users.ts':
          "import { named } from './posts.js'\nexport const common = { ...named }\n",
      },
    ],
  ])('reads no constant of %s before it has a value', async (_, files) => {
    const loaded = await loadManifest(project({ 'manifest/index.ts': index, ...files }))
    const said = 'problems' in loaded ? loaded.problems.map(({ message }) => message) : []
    expect(said).toEqual([expect.stringMatching(/Cannot access '(common|named)' before/)])
  })

  test('reads enums, and texts of several lines', async () => {
    const text = `enum Kind { One = 'one' }
const about = \`of
var kind = 1\`
${post('{}').replace('text()', 'text().default(Object.values(Kind)[0]).describe(about)')}`
    const { manifest } = await load(
      project({ 'manifest/index.ts': index, 'manifest/posts.ts': text }),
    )
    const said = JSON.stringify(manifest)
    expect(said).toContain(JSON.stringify('of\nvar kind = 1'))
    expect(said).toContain('"one"')
  })

  test('says what a manifest throws that is not an error', async () => {
    const root = project({ 'manifest.ts': "throw 'no'\n" })
    expect(await loadManifest(root)).toMatchObject({
      problems: [
        {
          rule: 'manifest-throws',
          file: 'manifest.ts',
          message: 'the manifest cannot be read: no',
        },
      ],
    })
  })
})

describe('the user model of the config', () => {
  test.each([
    ["auth: { user_model: 'members' }", { name: 'members' }],
    ['auth: { "user_model" : "members" }', { name: 'members' }],
    ['auth: { user_model: null }', { name: null }],
    ["// user_model: 'gone'\nauth: {}", null],
    ["/* user_model: 'gone' */ text: \"user_model: 'gone'\"", null],
    ["note: `user_model: 'gone'`, auth: { user_model: 'members' }", { name: 'members' }],
    ["auth: { user_models: 'members' }", null],
    ['auth: { user_model: `mem${"bers"}` }', { name: 'members' }],
    [
      "auth: { ...{ user_model: 'members' }, user_with: ['a'].concat('b') }",
      { userWith: ['a', 'b'] },
    ],
    ["auth: { user_model: 'members', verify_email: 1 < 2 }", { verifyEmail: true }],
    [
      "auth: { user_model: 'members', user_with: ['a'] }, port: Number(gone.PORT)",
      { userWith: ['a'] },
    ],
  ])('%s', async (text, expected) => {
    const config = `import { defineConfig } from '../runtime/config/server-config.js'\nexport const config = defineConfig({ ${text} })\n`
    const { userModel } = await load(project({ 'manifest.ts': single, 'config/svc.ts': config }))
    if (expected === null) expect(userModel).toBeNull()
    else expect(userModel).toMatchObject(expected)
  })
})

describe('a part of the manifest is found in its file', () => {
  const posts = `import { belongsTo, repository, text } from 'svckit'

const shared = { slug: text() }
const related = {
  owner: belongsTo('users', { searchable: ['name'] }).nullable(),
}
function dated(fields) {
  return fields
}

export const posts = repository({
  sort: ['title', 'slug'],
  fields: {
    ...shared,
    title: text().max(5).default('a'),
    'body': text(),
  },
  related,
})

export const tags = repository({
  fields: dated({ name: text() }),
})
`
  const index = `import { defineManifest } from 'svckit'
import { posts, tags } from './posts.js'

const more = { tags }
export default defineManifest({
  database: 'sqlite',
  repositories: {
    posts,
    ...more,
  },
})
`
  const root = project({ 'manifest/posts.ts': posts, 'manifest/index.ts': index })
  const at = (file: string, line: number, column: number) => ({
    file: `manifest/${file}.ts`,
    line,
    column,
  })

  test.each<[string, Path, ReturnType<typeof at>]>([
    ['a repository', ['posts'], at('index', 8, 5)],
    ['a repository from a spread', ['tags'], at('index', 4, 16)],
    ['what defineManifest is given', ['', 'database'], at('index', 6, 3)],
    ['a property', ['posts', 'fields'], at('posts', 13, 3)],
    ['a field', ['posts', 'fields', 'title'], at('posts', 15, 5)],
    ['a quoted field', ['posts', 'fields', 'body'], at('posts', 16, 5)],
    ['a field from a spread', ['posts', 'fields', 'slug'], at('posts', 3, 18)],
    ['a modifier', ['posts', 'fields', 'title', 'default'], at('posts', 15, 26)],
    ['a modifier that is not there', ['posts', 'fields', 'title', 'min'], at('posts', 15, 5)],
    ['an element of a list', ['posts', 'sort', 1], at('posts', 12, 19)],
    ['an option of a relation', ['posts', 'related', 'owner', 'searchable', 0], at('posts', 5, 44)],
    ['a field that a function makes', ['tags', 'fields', 'name'], at('posts', 22, 19)],
    ['nothing that can be seen', ['tags', 'sort', 3], at('posts', 21, 21)],
    ['an unknown repository', ['users', 'fields'], at('index', 7, 3)],
  ])('%s', async (_, path, expected) => {
    expect((await load(root)).sources.locate(path)).toEqual(expected)
  })
})

test('a manifest of thousands of repositories has more time than one that hangs is given', () => {
  expect(timeoutOf('x'.repeat(400_000))).toBe(3_000)
  expect(timeoutOf('x'.repeat(2_000_000))).toBe(12_000)
})

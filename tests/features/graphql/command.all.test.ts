import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { newProject, svc } from '../../core/cli/project.js'
import { svcOnTerminal } from '../../core/cli/terminal.js'
import { fill, textsOf } from '../../core/write/folder.js'

let root = ''
const schema = 'app/GraphQL/schema.graphql'
const resolver = 'app/GraphQL/Resolvers/PostResolver.ts'
const config = 'config/svc-graphql.ts'

beforeEach(async () => {
  root = await newProject()
  await svc(root, 'graphql:generate', '--skip-preview', '--resolvers')
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const replace = (path: string, from: string, to: string) =>
  fill(root, { [path]: read(path).replace(from, to) })
const addField = () =>
  replace(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    stars: integer().nullable(),',
  )

describe('svc graphql:generate', () => {
  test('shows what it found, and in a pipe writes nothing and says how to go on', async () => {
    replace('manifest/posts.ts', 'dateTime,', 'dateTime, integer,')
    addField()
    const before = textsOf(root)
    const { code, out } = await svc(root, 'graphql:generate')
    expect(code).toBe(1)
    expect(out.split('\n').slice(0, 10)).toEqual([
      'GraphQL',
      '  Repositories found (2): users, posts',
      '  Output directory: app/GraphQL',
      '  Schema file: schema.graphql',
      '  Generate resolvers: No',
      '  Force overwrite: No',
      '',
      'Files to be written',
      '  1. app/GraphQL/schema.graphql (update)',
      '',
    ])
    expect(out).toContain('Sample of the schema\n  type Post {\n    id: ID!\n')
    expect(out).toMatch(/… and 7 more types\n/)
    expect(out).toContain('Nothing was written')
    expect(out).toContain('--skip-preview')
    expect(textsOf(root)).toEqual(before)
  })

  test.each([
    ['y', 0, true],
    ['n', 0, false],
    ['\u0003', 0, false],
  ])('asks on a terminal, and %j decides', async (keys, expected, isWritten) => {
    replace('manifest/posts.ts', 'dateTime,', 'dateTime, integer,')
    addField()
    const before = textsOf(root)
    const question = 'Write these files?'
    const { code, out } = await svcOnTerminal(root, ['graphql:generate'], { question, keys })
    expect([code, out.includes('Repositories found'), out.includes(question)]).toEqual([
      expected,
      true,
      true,
    ])
    expect(out.includes('Operation cancelled.')).toBe(!isWritten)
    expect(read(schema).includes('stars: Int')).toBe(isWritten)
    if (!isWritten) expect(textsOf(root)).toEqual(before)
  })

  test.each(['--skip-preview', '--force'])('writes without a question with %s', async (option) => {
    replace('manifest/posts.ts', 'dateTime,', 'dateTime, integer,')
    addField()
    const repository = read('app/Repositories/PostRepository.ts')
    const { code, out } = await svc(root, 'svc:graphql:generate', option)
    expect([code, out.includes('Repositories found')]).toEqual([0, option === '--force'])
    expect(read(schema)).toContain('stars: Int')
    // The rest is for svc generate.
    expect(read('app/Repositories/PostRepository.ts')).toBe(repository)
    expect((await svc(root, 'generate')).out).not.toContain(schema)
  })

  test('leaves resolvers alone, and with --resolvers and --force replaces an edited one, naming it; undo brings it back', async () => {
    replace(resolver, 'show:', '// Mine.\n  show:')
    replace(
      schema,
      'type Post {',
      'type Post {\n  mine: String @field(resolver: "PostResolver@show")',
    )
    const edited = [read(resolver), read(schema)]
    await svc(root, 'graphql:generate', '--skip-preview')
    expect([read(resolver), read(schema)]).toEqual(edited)
    const { out } = await svc(root, 'graphql:generate', '--force', '--resolvers')
    expect(out).toContain(`${resolver} (update, your edits are replaced)`)
    expect(out).toMatch(/update {4}app\/GraphQL\/schema.graphql {2}\(your edits were replaced/)
    expect(read(resolver)).not.toContain('// Mine.')
    expect(read(schema)).not.toContain('mine')
    await svc(root, 'undo')
    expect([read(resolver), read(schema)]).toEqual(edited)
  })

  test('merges edits of the schema with what the manifest adds', async () => {
    replace(
      schema,
      'type Query {',
      'type Query {\n  ping: String @field(resolver: "PingResolver@ping")',
    )
    replace('manifest/posts.ts', 'dateTime,', 'dateTime, integer,')
    addField()
    expect((await svc(root, 'generate')).out).toContain(`merge     ${schema}`)
    expect(read(schema)).toContain('ping: String')
    expect(read(schema)).toContain('stars: Int')
  })

  test('takes another folder and file name, edits go along, and svc generate keeps them in step', async () => {
    replace(resolver, 'show:', '// Mine.\n  show:')
    replace(
      schema,
      'type Post {',
      'type Post {\n  mine: String @field(resolver: "PostResolver@show")',
    )
    const { code } = await svc(
      root,
      'graphql:generate',
      '--skip-preview',
      '--output-path=app/Api',
      '--schema-file=api.graphql',
    )
    expect(code).toBe(0)
    expect(read('app/Api/api.graphql')).toContain('mine: String')
    expect(read('app/Api/Resolvers/PostResolver.ts')).toContain('// Mine.')
    expect(existsSync(join(root, 'app/GraphQL'))).toBe(false)
    expect(read(config)).toContain("path: 'app/Api'")
    expect(read('routes/graphql.ts')).toContain('#app/Api/endpoint.js')
    const { out } = await svc(root, 'generate', '--json')
    const statuses = JSON.parse(out).files.map((file: { status: string }) => file.status)
    expect(new Set(statuses)).toEqual(new Set(['same', 'keep']))
  })

  test('without resolver files the endpoint serves the standard ones', async () => {
    replace(config, 'resolvers: true', 'resolvers: false')
    await svc(root, 'generate')
    expect(existsSync(join(root, resolver))).toBe(false)
    expect(read('app/GraphQL/endpoint.ts')).not.toContain('Resolvers/')
    expect(textsOf(await newProject())).toEqual(textsOf(root))
    await svc(root, 'graphql:generate', '--skip-preview', '--resolvers')
    expect(existsSync(join(root, resolver))).toBe(true)
    expect(read(config)).toContain('resolvers: true')
  })

  test.each([
    ['--output-path=../x', 'not a folder of the project'],
    ['--output-path=.', 'not a folder of the project'],
    ['--output-path=', 'not a folder of the project'],
    ['--output-path=app/../..', 'not a folder of the project'],
    ["--output-path=a b'c", 'not a folder of the project'],
    ['--output-path=runtime/graphql', "'runtime' has files of its own"],
    ['--output-path=Manifest', "'manifest' has files of its own"],
    ['--schema-file=../../README.md', "not a name like 'api.graphql'"],
    ['--schema-file=../x.graphql', "not a name like 'api.graphql'"],
    ['--schema-file=endpoint.ts', "not a name like 'api.graphql'"],
    ['--schema-file=', "not a name like 'api.graphql'"],
  ])('%s is refused, and nothing is written', async (option, why) => {
    const before = textsOf(root)
    const { code, out } = await svc(root, 'graphql:generate', '--skip-preview', option)
    expect([code, out.includes(why)]).toEqual([1, true])
    expect(textsOf(root)).toEqual(before)
  })

  test('the same mistake in the config is a problem of svc generate too', async () => {
    replace(config, "schema_file: 'schema.graphql'", "schema_file: '../../README.md'")
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate')
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(`${config}:12:19  output.schema_file is '../../README.md'`),
    ])
    expect(textsOf(root)).toEqual(before)
  })

  test('a folder may be written in other ways', async () => {
    const { code } = await svc(
      root,
      'graphql:generate',
      '--skip-preview',
      '--output-path=./app//Api/',
    )
    expect(code).toBe(0)
    expect(existsSync(join(root, 'app/Api/Resolvers/PostResolver.ts'))).toBe(true)
    expect((await svc(root, 'generate', '--check')).code).toBe(0)
  })

  test('another file name leaves resolvers alone', async () => {
    const { code, out } = await svc(root, 'graphql:generate', '--schema-file=api.graphql')
    expect(out).not.toContain('Resolver.ts')
    expect(code).toBe(1)
  })

  test('with --resolvers the preview numbers their folder and each of them', async () => {
    rmSync(join(root, 'app/GraphQL/Resolvers'), { recursive: true })
    const { out } = await svc(
      root,
      'graphql:generate',
      '--resolvers',
      '--force',
      '--schema-file=x.graphql',
    )
    const list = out.split('\n').filter((line) => /^ +\d+\. /.test(line))
    expect(list.slice(0, 4)).toEqual([
      '  1. app/GraphQL/x.graphql (move from app/GraphQL/schema.graphql)',
      '  2. app/GraphQL/Resolvers/',
      '  3. app/GraphQL/Resolvers/PostResolver.ts (create)',
      '  4. app/GraphQL/Resolvers/UserResolver.ts (create)',
    ])
  })

  test('says that the schema was deleted, and --force brings it back', async () => {
    const text = read(schema)
    rmSync(join(root, schema))
    const { code, out } = await svc(root, 'graphql:generate')
    expect(code).toBe(0)
    expect(out).toContain(
      `Files to be written\n  none\n  You deleted ${schema}; --force brings it back.\n`,
    )
    expect(existsSync(join(root, schema))).toBe(false)
    await svc(root, 'graphql:generate', '--force')
    expect(read(schema)).toBe(text)
  })

  test('a conflict says what this command can do', async () => {
    replace(schema, '  title: String\n', '  title: String!\n')
    replace('manifest/posts.ts', 'title: text()', 'name: text()')
    for (const path of ['manifest/posts.ts'])
      fill(root, { [path]: read(path).replaceAll("'title'", "'name'") })
    const { code, out } = await svc(root, 'graphql:generate', '--skip-preview')
    expect(code).toBe(3)
    expect(out).toContain('svc graphql:generate --force')
  })

  test('enabled: false leaves nothing of it but the config', async () => {
    replace(config, 'enabled: true', 'enabled: false')
    await svc(root, 'generate')
    const paths = Object.keys(textsOf(root)).filter((path) => !path.startsWith('.svc/'))
    expect(paths.filter((path) => /graphql/i.test(path))).toEqual([config])
    expect(read('package.json')).not.toContain('"graphql"')
    const { code, out } = await svc(root, 'graphql:generate')
    expect([code, out]).toEqual([1, `GraphQL is switched off: set enabled: true in ${config}.\n`])
  })
})

describe('svc publish', () => {
  test('brings a deleted config back, keeps one that is there, and replaces it with --force', async () => {
    const text = read(config).replace('resolvers: true', 'resolvers: false')
    rmSync(join(root, config))
    const { out } = await svc(root, 'publish', '--tag=svc-graphql-config')
    expect([out, read(config)]).toEqual([`Published ${config}.\n`, text])
    replace(config, 'first: 15', 'first: 20')
    expect((await svc(root, 'publish', '--tag=svc-graphql-config')).out).toContain('exists already')
    expect(read(config)).toContain('first: 20')
    await svc(root, 'publish', '--tag=svc-graphql-config', '--force')
    expect(read(config)).toBe(text)
    expect((await svc(root, 'publish', '--tag=nothing')).code).toBe(1)
  })
})

/** The document under generators people use: what they make compiles under `strict`, and is called. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emit } from '../core/compile/emit.js'
import { served, type Served } from '../features/client/served.js'
import { generateInto } from '../support/generate.js'
import { openFolder, type Project } from '../support/project.js'
import { describeRoutes } from './own-routes.js'
import { call, generators, install, tools, tsconfig } from './tools.js'
import { uses } from './uses.js'

const fixtures = [
  'blog',
  'every-kind',
  'awkward-names',
  'wide-ids',
  'ledger',
  'shop',
  'team',
] as const

const info = { title: 'Interop', version: '3.2.1', contact: { name: 'Ada' } }

let blog: Project
let server: Served
const folderOf = (fixture: string) => join(tools, 'made', fixture)

beforeAll(async () => {
  await install()
  for (const fixture of fixtures) {
    const project = await emit(fixture, 'sqlite')
    const own = join(project, 'app/OpenApi/own.json')
    const said = existsSync(own) ? JSON.parse(readFileSync(own, 'utf8')) : {}
    writeFileSync(own, JSON.stringify({ ...said, info }))
    if (fixture === 'blog') describeRoutes(project)
    await generateInto(project)
    rmSync(folderOf(fixture), { recursive: true, force: true })
    mkdirSync(folderOf(fixture), { recursive: true })
    cpSync(join(project, 'app/OpenApi/openapi.json'), join(folderOf(fixture), 'openapi.json'))
    if (fixture === 'blog') blog = await openFolder(project, 'sqlite')
    else rmSync(project, { recursive: true })
  }
  server = await served((request) => blog.fetch(request))
})
afterAll(async () => {
  await server.close()
  await blog.close()
})

/**
 * What a tool cannot read, whoever wrote it. Both take a name of `Object.prototype` for something of theirs where a column is
 * called so: `type.properties[name]` of @redocly/openapi-core 1 (in openapi-typescript 7) calls `valueOf`, and a path of Spectral
 * asks a schema's `hasOwnProperty`.
 */
const cannotRead = new Map([
  ['openapi-typescript awkward-names', 'Cannot convert undefined or null to object'],
  ['spectral awkward-names', 'hasOwnProperty is not a function'],
])

const names = generators('').map(({ name }) => name)

test.each(fixtures.flatMap((fixture) => names.map((name) => [name, fixture] as const)))(
  'what %s makes of %s compiles under strict',
  async (name, fixture) => {
    const folder = folderOf(fixture)
    const generator = generators(server.baseUrl).find((each) => each.name === name)
    if (generator === undefined) throw new Error(name)
    for (const [path, text] of Object.entries(generator.files))
      writeFileSync(join(folder, path), text)
    const [command, ...args] = generator.command
    const made = await call(folder, command, args)
    const reason = cannotRead.get(`${name} ${fixture}`)
    if (reason !== undefined) {
      expect(made.output).toContain(reason)
      return
    }
    expect(made.code, made.output.slice(-2000)).toBe(0)
    if (fixture === 'blog') writeFileSync(join(folder, name, 'use.ts'), uses[name] ?? '')
    writeFileSync(join(folder, `${name}.json`), tsconfig(name))
    const { code, output } = await call(folder, 'tsc', ['-p', `${name}.json`])
    expect(code, output.slice(0, 3000)).toBe(0)
  },
)

test.each(names)(
  'what %s makes of the blog signs in, stores, shows, lists, is refused, and calls routes of its own',
  async (name) => {
    const folder = folderOf('blog')
    const outfile = join(folder, `${name}.mjs`)
    const entryPoints = [join(folder, name, 'use.ts')]
    await build({
      entryPoints,
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    })
    const email = `${name}@example.com`
    const password = 'a long password'
    const form = { email, password, password_confirmation: password }
    expect((await blog.post('/api/register', form)).status).toBeLessThan(300)
    const { use } = await import(pathToFileURL(outfile).href)
    const { titles, ...found } = await use(server.baseUrl, email, password)
    expect(found).toEqual({
      ...{ title: 'Typed', owner: email, stored: 201 },
      ...{ status: 422, errors: ['title'] },
      invited: { id: 7, email: 'eve@example.com', role: 'reader', tags: ['a', 'b'], days: 3 },
      uninvited: 422,
    })
    expect([...new Set(titles)]).toEqual(['Typed'])
  },
)

test.each(fixtures)(
  'the document of %s has a title, and Spectral finds nothing in it',
  async (fixture) => {
    const folder = folderOf(fixture)
    const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'))
    expect(document.info).toMatchObject(info)
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
    const { output } = await call(folder, 'spectral', ['lint', '-f', 'text', 'openapi.json'])
    const reason = cannotRead.get(`spectral ${fixture}`)
    if (reason !== undefined) {
      expect(output).toContain(reason)
      return
    }
    // Without a way to verify e-mails, the route that mails the link again answers nothing else than failures.
    const found = output.split('\n').filter((line) => / (warning|error) /.test(line))
    expect(found.filter((line) => !line.includes('operation-success-response'))).toEqual([])
  },
)
